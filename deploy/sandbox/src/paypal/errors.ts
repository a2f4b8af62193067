import { PartnerError } from "../core/strict.ts";

/** One thing wrong with a request. */
export interface Detail {
  issue: string;
  field?: string;
  location?: "body" | "header" | "path" | "query";
  link?: { href: string; rel: string; method?: string }[];
}

const MESSAGES: Record<string, string> = {
  AUTHORIZATION_ERROR: "Authorization error occurred.",
  INSUFFICIENT_FUNDS: "Sender does not have sufficient funds.",
  INTERNAL_ERROR: "An internal service error has occurred.",
  INVALID_RESOURCE_ID: "Requested resource ID was not found.",
  ITEM_INCORRECT_STATUS: "The item status is incorrect for the requested action.",
  MALFORMED_REQUEST: "Json payload received is not well formed.",
  NON_HOLDING_CURRENCY: "The sender does not hold a balance in this currency.",
  RATE_LIMIT_VALIDATION_FAILURES: "Too many requests. Blocked due to rate limiting.",
  REQUEST_TIMEOUT_EXCEEDED: "The request timed out.",
  SENDER_EMAIL_UNCONFIRMED: "Sender's email is unconfirmed.",
  SENDER_RESTRICTED: "Sender's account is restricted.",
  SERVICE_UNAVAILABLE: "The service is unavailable.",
  UNSUPPORTED_MEDIA_TYPE: "The request payload is not supported.",
  USER_BUSINESS_ERROR: "User business error.",
  VALIDATION_ERROR: "Invalid request - see details.",
  WEBHOOK_URL_ALREADY_EXISTS: "Webhook URL already exists.",
};

/** PayPal's error body. */
export function errorBody(name: string, debugId: string, details: Detail[] = [], message = MESSAGES[name]) {
  return {
    name,
    message: message ?? name,
    debug_id: debugId,
    information_link: `https://developer.paypal.com/docs/api/payments.payouts-batch/#errors`,
    details,
    links: [],
  };
}

/** A refusal in PayPal's shape, not yet numbered: the route that throws it adds the debug_id. */
export class PayPalError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    readonly details: Detail[] = [],
  ) {
    super(code);
  }
}

/** 401: OAuth's own shape, without a debug_id. */
export function unauthorized(error: string, error_description: string): PartnerError {
  return new PartnerError(401, { error, error_description });
}

const BY_STATUS: Record<number, string> = {
  400: "VALIDATION_ERROR",
  403: "AUTHORIZATION_ERROR",
  404: "INVALID_RESOURCE_ID",
  415: "UNSUPPORTED_MEDIA_TYPE",
  422: "INSUFFICIENT_FUNDS",
  429: "RATE_LIMIT_VALIDATION_FAILURES",
  500: "INTERNAL_ERROR",
  503: "SERVICE_UNAVAILABLE",
  504: "REQUEST_TIMEOUT_EXCEEDED",
};

/** The error PayPal gives with a status that says nothing more. */
export function nameOf(status: number): string {
  return BY_STATUS[status] ?? (status >= 500 ? "INTERNAL_ERROR" : "VALIDATION_ERROR");
}
