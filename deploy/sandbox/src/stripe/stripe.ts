import { type AnyPartner, partner } from "../core/partner.ts";
import { control } from "./control.ts";
import { nextDue, settle } from "./due.ts";
import { KeysInUse } from "./idempotency.ts";
import { pages } from "./pages.ts";
import { routes } from "./routes.ts";
import { serve } from "./serve.ts";
import { signatureHeader } from "./signature.ts";
import { apply, type Change, initial, type State } from "./state.ts";

function typeOf(status: number): string {
  if (status === 429) return "rate_limit_error";
  return status >= 500 ? "api_error" : "invalid_request_error";
}

/** Stripe: customers, payment methods, payments, connected accounts, and books that sum to zero. */
export const stripe = partner<State, Change>({
  name: "stripe",
  prefixes: ["/v1/", "/_sandbox/stripe/"],
  initial,
  apply,
  routes(app, ctx) {
    const inUse = new KeysInUse();
    for (const route of routes) serve(app, ctx, inUse, route);
    pages(app, ctx);
    control(app, ctx);
  },
  nextDue,
  settle,
  signs: ["stripe", "stripe_connect"],
  sign: ({ body, now, endpoint }) => {
    if (!endpoint.secret) throw new Error(`the endpoint ${endpoint.url} has no secret to sign with`);
    return {
      "stripe-signature": signatureHeader(body, now, endpoint.secret),
      "user-agent": "Stripe/1.0 (+https://stripe.com/docs/webhooks)",
    };
  },
  errorBody: (status, message) => ({
    error: { type: typeOf(status), message, ...(status === 429 ? { code: "rate_limit" } : {}) },
  }),
}) as AnyPartner;
