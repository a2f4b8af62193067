import type { PaymentIntent, PaymentMethod, SetupIntent } from "./objects.ts";

/** Stripe's error envelope, without the request's own fields. */
export interface ErrorBody {
  type: "api_error" | "card_error" | "idempotency_error" | "invalid_request_error";
  message: string;
  code?: string;
  decline_code?: string;
  advice_code?: string;
  network_decline_code?: string;
  param?: string;
  charge?: string;
  payment_method?: PaymentMethod;
  payment_intent?: PaymentIntent;
  setup_intent?: SetupIntent;
}

/**
 * A refusal in Stripe's words. `keeps` says that work was done before it (a declined charge exists), so that what
 * changed is recorded and an idempotency key remembers the answer; a mere validation failure leaves no trace.
 */
export class StripeError extends Error {
  constructor(
    readonly status: number,
    readonly body: ErrorBody,
    readonly keeps = false,
  ) {
    super(body.message);
  }
}

/** 400: the request itself is wrong. */
export function invalid(message: string, details: { code?: string; param?: string } = {}): StripeError {
  return new StripeError(400, { type: "invalid_request_error", message, ...details });
}

/** The object named does not exist: 404 when the address names it, 400 when a parameter does. */
export function missing(kind: string, id: string, param: string, status: 400 | 404 = 400): StripeError {
  const message = `No such ${kind}: '${id}'`;
  return new StripeError(status, { type: "invalid_request_error", code: "resource_missing", message, param });
}

/** 401 or 403: the key. */
export function refusedKey(status: 401 | 403, message: string, code?: string): StripeError {
  return new StripeError(status, { type: "invalid_request_error", message, ...(code ? { code } : {}) });
}

/** 400: an act the object's status does not allow. */
export function unexpectedState(kind: "payment_intent" | "setup_intent", message: string): StripeError {
  return invalid(message, { code: `${kind}_unexpected_state` });
}
