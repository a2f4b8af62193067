import type { FastifyRequest } from "fastify";
import { form, mediaType, PartnerError } from "../core/strict.ts";
import { PayPalError, unauthorized } from "./errors.ts";
import type { State } from "./state.ts";
import type { Work } from "./work.ts";

const LIFE_SECONDS = 32_400;
const SCOPE = "https://uri.paypal.com/payments/payouts https://uri.paypal.com/services/applications/webhooks";

function refusedForm(error: string, error_description: string): PartnerError {
  return new PartnerError(400, { error, error_description });
}

function isKnown(state: State, client_id: string, client_secret: string): boolean {
  const named = state.rows.credentials.get("credentials");
  if (named) return named.client_id === client_id && named.client_secret === client_secret;
  return /^[\w-]{8,}$/.test(client_id) && /^[\w-]{8,}$/.test(client_secret);
}

/** Gives an access token for client credentials, good for nine hours. */
export function grantToken(request: FastifyRequest, work: Work, state: State) {
  const basic = /^Basic\s+(\S+)$/i.exec(request.headers.authorization ?? "");
  const [client_id = "", client_secret = ""] = Buffer.from(basic?.[1] ?? "", "base64")
    .toString("utf8")
    .split(":");
  if (!basic || !isKnown(state, client_id, client_secret))
    throw unauthorized("invalid_client", "Client Authentication failed");
  if (mediaType(request.headers["content-type"]) !== "application/x-www-form-urlencoded")
    throw new PayPalError(415, "UNSUPPORTED_MEDIA_TYPE");
  const { grant_type, ...others } = form(request.body, ({ message }) =>
    refusedForm("invalid_request", message),
  );
  const [unknown] = Object.keys(others);
  if (unknown) throw refusedForm("invalid_request", `Unknown parameter: ${unknown}`);
  if (!grant_type) throw refusedForm("invalid_request", "Null/Empty parameter : grant_type");
  if (grant_type !== "client_credentials")
    throw refusedForm("unsupported_grant_type", "Grant Type is NULL or unsupported");
  const expires_at = new Date(work.now.getTime() + LIFE_SECONDS * 1000).toISOString();
  const { id } = work.put({ kind: "token" as const, id: work.id(64, "A21AA"), expires_at });
  return {
    scope: SCOPE,
    access_token: id,
    token_type: "Bearer",
    app_id: "APP-80W284485P519543T",
    expires_in: LIFE_SECONDS,
    nonce: `${work.time}${work.id(20)}`,
  };
}

/** Refuses a call without a token that is known and still good. */
export function admit(request: FastifyRequest, state: State, now: Date): void {
  const token = /^Bearer\s+(\S+)$/i.exec(request.headers.authorization ?? "")?.[1];
  const known = token === undefined ? undefined : state.rows.token.get(token);
  if (!known) throw unauthorized("invalid_token", "Token signature verification failed");
  if (Date.parse(known.expires_at) <= now.getTime())
    throw unauthorized("invalid_token", "The token passed in has expired");
}

/** Refuses a body that is not JSON by its header, and a request id that is empty or too long. */
export function checkHeaders(request: FastifyRequest): void {
  const hasBody = typeof request.body === "string" && request.body !== "";
  if (hasBody && mediaType(request.headers["content-type"]) !== "application/json")
    throw new PayPalError(415, "UNSUPPORTED_MEDIA_TYPE");
  const id = request.headers["paypal-request-id"];
  if (id !== undefined && (id === "" || String(id).length > 1000))
    throw new PayPalError(400, "VALIDATION_ERROR", [
      { field: "PayPal-Request-Id", location: "header", issue: "Value must be 1 to 1000 characters long" },
    ]);
}
