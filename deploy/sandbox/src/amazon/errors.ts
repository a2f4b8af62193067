import { type Flaw, PartnerError } from "../core/strict.ts";
import type { AmazonContext } from "./context.ts";

const CODES: Record<number, string> = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHORIZED",
  403: "FORBIDDEN",
  404: "NOT_FOUND",
  406: "NOT_ACCEPTABLE",
  415: "UNSUPPORTED_MEDIA_TYPE",
  422: "INVALID_ARGUMENT",
  429: "THROTTLED",
};

/** An error of the Ads API: {code, details}; recorded answers of the real one say `message` instead of `details`. */
export function adsBody(status: number, text: string, requestId?: string): Record<string, unknown> {
  return { code: CODES[status] ?? "INTERNAL_ERROR", details: text, ...(requestId && { requestId }) };
}

/** An error answer of the Ads API in the dialect in force. */
export function adsError(ctx: AmazonContext, status: number, text: string): PartnerError {
  const requestId = ctx.id("", 20).toUpperCase();
  const { details, ...body } = adsBody(status, text, requestId);
  return new PartnerError(
    status,
    ctx.state.dialect === "recorded" ? { ...body, message: details } : { ...body, details },
    {
      "x-amz-request-id": requestId,
    },
  );
}

/** A flaw of a query or a body as the Ads API reports it. */
export function adsFlaw(ctx: AmazonContext): (flaw: Flaw) => PartnerError {
  return ({ message }) => adsError(ctx, 400, message);
}

/** An error of Login with Amazon: {error, error_description}. */
export function loginError(status: number, error: string, description: string): PartnerError {
  return new PartnerError(status, { error, error_description: description }, { "cache-control": "no-store" });
}

/** The one sentence Login with Amazon has for a grant that is no good, whichever part of it. */
export function invalidGrant(part: string): PartnerError {
  const why = part === "refresh_token" ? " User may have revoked or didn't grant the permission." : "";
  return loginError(400, "invalid_grant", `The request has an invalid grant parameter : ${part}.${why}`);
}
