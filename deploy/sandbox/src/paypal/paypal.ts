import { type AnyPartner, partner } from "../core/partner.ts";
import { certificateOf } from "./certificate.ts";
import { control } from "./control.ts";
import { nextDue, settle } from "./due.ts";
import { errorBody, nameOf } from "./errors.ts";
import { routes } from "./routes.ts";
import { signatureHeaders } from "./signature.ts";
import { apply, type Change, initial, type State } from "./state.ts";

/** PayPal Payouts: payments to creators by e-mail, phone or Venmo, their events, and books that sum to zero. */
export const paypal = partner<State, Change>({
  name: "paypal",
  prefixes: ["/paypal/", "/_sandbox/paypal/"],
  initial,
  apply,
  routes(app, ctx) {
    app.addHook("onReady", async () => {
      await certificateOf(ctx);
    });
    routes(app, ctx);
    control(app, ctx);
  },
  nextDue,
  settle,
  signs: ["paypal"],
  sign: signatureHeaders,
  errorBody: (status, message) =>
    status === 401
      ? { error: "invalid_token", error_description: message }
      : errorBody(nameOf(status), "0000000000000", [{ issue: message }]),
}) as AnyPartner;
