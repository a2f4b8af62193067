import { StripeEventReceived, WebhookProcessed } from "@tributary/contracts/events/billing";
import { type Calling, effect } from "@tributary/runtime/effect";
import { heedMandate, heedMethod } from "../heed-method.ts";
import { heedMoneyBack, heedPayment } from "../heed-payment.ts";
import { heedSetUp } from "../heed-set-up.ts";
import { recordAccount } from "../record-account.ts";
import { stripePartner } from "../stripe/client.ts";
import { stripeEvent } from "../webhook-inbox.ts";

const METHOD_EVENTS = ["updated", "automatically_updated", "detached"].map(
  (what) => `payment_method.${what}`,
);

/** Everything by which money of a paid charge can have gone back. */
const BACK = /^(charge\.(refund|dispute)|transfer\.reversed|application_fee\.refund)/;

/** Whether what Stripe tells by this name is acted upon; by webhook everything is stored, whatever it is. */
export const isHeeded = (event_type: string): boolean =>
  BACK.test(event_type) ||
  METHOD_EVENTS.includes(event_type) ||
  /^(payment_intent\.|setup_intent\.|mandate\.updated$|account\.updated$|capability\.updated$)/.test(
    event_type,
  );

type Heeded = "settled" | "nothing_new" | "not_ours";

async function heedAccount(id: string, calling: Calling): Promise<Heeded> {
  const account = await calling.use(stripePartner).account(id);
  return account.creator_id ? recordAccount(account, account.creator_id, calling) : "not_ours";
}

/**
 * Stripe said that something happened. Webhooks come late, twice and in any order, so the object itself is looked at again
 * and what it says now counts.
 */
export const heedStripe = effect("heed-stripe", {
  on: StripeEventReceived,
  stream: ({ data: { environment, stripe_event_id } }) => stripeEvent.at(`${environment}:${stripe_event_id}`),
  call: async ({ data }, state, calling) => {
    if (state === "processed") return [];
    const { event_type, object_id, account, stripe_event_id: event_id } = data;
    const heed = async (): Promise<Heeded> => {
      if (event_type.startsWith("payment_intent.")) return heedPayment(object_id, calling);
      if (BACK.test(event_type)) return heedMoneyBack(event_type, object_id, calling);
      if (event_type.startsWith("setup_intent.")) return heedSetUp(object_id, calling);
      if (event_type === "mandate.updated") return heedMandate(object_id, calling);
      if (METHOD_EVENTS.includes(event_type)) return heedMethod(object_id, null, calling);
      if (event_type === "account.updated") return heedAccount(object_id, calling);
      if (event_type === "capability.updated" && account) return heedAccount(account, calling);
      return "not_ours";
    };
    return [WebhookProcessed({ event_id, outcome: await heed() })];
  },
});
