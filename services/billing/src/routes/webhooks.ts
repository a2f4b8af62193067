import { PaypalEventReceived, StripeEventReceived } from "@tributary/contracts/events/billing";
import { to } from "@tributary/runtime/decision";
import { Refusal } from "@tributary/runtime/refusal";
import { type Asking, route } from "@tributary/runtime/route";
import { paypalPartner } from "../paypal/client.ts";
import { stripeAccess } from "../settings.ts";
import { stripePartner } from "../stripe/client.ts";
import { paypalEvent, stripeEvent } from "../webhook-inbox.ts";

const forged = () => new Refusal(400, "bad_signature", "The signature is not the partner's");

async function takeStripe(secret: string, asking: Asking) {
  const signature = asking.headers["stripe-signature"];
  const notice = await asking.use(stripePartner).notice(asking.raw, signature, secret, asking.now);
  if (!notice) throw forged();
  const inbox = stripeEvent.at(`${notice.environment}:${notice.stripe_event_id}`);
  await asking.act({ known: inbox }, ({ known }) =>
    known === "unknown" ? [to(inbox, StripeEventReceived(notice))] : [],
  );
  return { received: true };
}

/** Stripe's webhooks of the platform's own payments: verified, stored once, answered at once. */
export const stripeWebhook = route("POST /api/webhooks/stripe", {
  access: { as: "public" },
  body: "raw",
  handle: (_, asking) => takeStripe(asking.use(stripeAccess).STRIPE_WEBHOOK_SECRET, asking),
});

/** Stripe's webhooks of the creators' accounts, signed with a secret of their own. */
export const stripeConnectWebhook = route("POST /api/webhooks/stripe-connect", {
  access: { as: "public" },
  body: "raw",
  handle: (_, asking) => takeStripe(asking.use(stripeAccess).STRIPE_CONNECT_WEBHOOK_SECRET, asking),
});

/** PayPal's webhooks: verified against PayPal's own certificate, stored once, answered at once. */
export const paypalWebhook = route("POST /api/webhooks/paypal", {
  access: { as: "public" },
  body: "raw",
  handle: async (_, asking) => {
    const notice = await asking.use(paypalPartner).notice(asking.raw, asking.headers);
    if (!notice) throw forged();
    const inbox = paypalEvent.at(notice.paypal_event_id);
    await asking.act({ known: inbox }, ({ known }) =>
      known === "unknown" ? [to(inbox, PaypalEventReceived(notice))] : [],
    );
    return { received: true };
  },
});
