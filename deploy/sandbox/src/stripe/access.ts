import type { IncomingHttpHeaders } from "node:http";
import { invalid, refusedKey, type StripeError } from "./errors.ts";
import type { Route } from "./route.ts";
import type { State } from "./state.ts";

function presented(authorization: string | undefined): string | null {
  const bearer = /^Bearer\s+(\S+)$/i.exec(authorization ?? "");
  if (bearer) return bearer[1]!;
  const basic = /^Basic\s+(\S+)$/i.exec(authorization ?? "");
  return basic ? Buffer.from(basic[1]!, "base64").toString("utf8").split(":")[0]! : null;
}

/** A key as it may be shown: never in full. */
function masked(key: string): string {
  return `${key.slice(0, 8)}${"*".repeat(Math.max(0, key.length - 12))}${key.slice(-4)}`;
}

/** Who is calling: refuses a missing, malformed, live or too weak key. Answers whether it is a publishable one. */
export function admit(headers: IncomingHttpHeaders, route: Route): boolean {
  const key = presented(headers.authorization);
  if (!key)
    throw refusedKey(
      401,
      "You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY').",
    );
  const publishable = /^pk_test_\w+$/.test(key);
  if (!publishable && !/^(sk|rk)_test_\w+$/.test(key))
    throw refusedKey(401, `Invalid API Key provided: ${masked(key)}`);
  if (publishable && !route.publishable)
    throw refusedKey(
      401,
      "This API call cannot be made with a publishable API key. Please use a secret API key. You can find a list of your API keys at https://dashboard.stripe.com/account/apikeys.",
      "secret_key_required",
    );
  return publishable;
}

/** The key has no access to this account, or there is no such account: Stripe does not say which. */
export function noAccess(account: string): StripeError {
  return refusedKey(
    403,
    `The provided key does not have access to account '${account}' (or that account does not exist). Application access may have been revoked.`,
    "account_invalid",
  );
}

/** The connected account the request speaks for, checked. */
export function accountOf(headers: IncomingHttpHeaders, route: Route, state: State): string | null {
  const account = headers["stripe-account"];
  if (account === undefined) return null;
  const id = String(account);
  if (!state.objects.account.has(id)) throw noAccess(id);
  if (!route.perAccount)
    throw invalid(
      `${route.method} ${route.path} cannot be asked with a Stripe-Account header in this sandbox.`,
    );
  return id;
}

/** Refuses a version Stripe never had the shape of, and bodies that are not form-encoded. */
export function checkHeaders(headers: IncomingHttpHeaders, method: string, body: string): void {
  const version = headers["stripe-version"];
  if (version !== undefined && !/^\d{4}-\d{2}-\d{2}(\.[a-z]+)?$/.test(String(version)))
    throw invalid(`Invalid Stripe API version: ${String(version)}`);
  const type = headers["content-type"]?.split(";")[0]?.trim().toLowerCase();
  if (method === "POST" && body !== "" && type !== "application/x-www-form-urlencoded")
    throw invalid(
      "Invalid request (check that your POST content type is application/x-www-form-urlencoded). If you have any questions, we can help at https://support.stripe.com/.",
    );
}
