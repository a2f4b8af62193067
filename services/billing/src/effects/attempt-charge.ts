import type { DataOf } from "@tributary/contracts/event";
import { ChargeAttemptStarted } from "@tributary/contracts/events/billing";
import { effect } from "@tributary/runtime/effect";
import { type Charge, charge } from "../charge.ts";
import { settleCharge } from "../settle-charge.ts";
import { stripePartner } from "../stripe/client.ts";
import type { Order, Seen } from "../stripe/partner.ts";

type Attempt = DataOf<typeof ChargeAttemptStarted>;

/** What Stripe is asked for; null when the brand has no method that could be charged. */
function orderOf({ request }: Charge, attempt: Attempt): Order | null {
  const { stripe_customer_id, stripe_payment_method_id, mandate_id, idempotency_key } = attempt;
  if (!stripe_customer_id || !stripe_payment_method_id) return null;
  const { charge_id, cycle_id, month, brand_id, creator_id } = request;
  const pm_type = attempt.pm_type ?? request.pm_type;
  const described = request.statement_descriptor ?? request.statement_descriptor_suffix;
  return {
    ...request,
    pm_type,
    statement_descriptor: pm_type === "card" ? null : described,
    statement_descriptor_suffix: pm_type === "card" ? described : null,
    ...{ idempotency_key, attempt: attempt.attempt, mandate_id },
    ...{ stripe_customer_id, stripe_payment_method_id },
    metadata: {
      ...{ charge_id, cycle_id, month, brand_id },
      ...(creator_id ? { creator_id } : {}),
      attempt: String(attempt.attempt),
    },
  };
}

const NO_METHOD: Seen = {
  status: "failed",
  stripe_payment_intent_id: null,
  code: "no_payment_method",
  message: "The brand has no payment method that can be charged.",
};

/** An attempt has begun: Stripe is asked for it, once. A lost answer is looked up before anything is sent again. */
export const attemptCharge = effect("attempt-charge", {
  on: ChargeAttemptStarted,
  stream: ({ data: { charge_id } }) => charge.at(charge_id),
  call: async ({ data, time }, state, calling) => {
    if (!state || state.attempt !== data.attempt || state.phase !== "started") return [];
    const order = orderOf(state, data);
    const stripe = calling.use(stripePartner);
    const found = order && calling.lookFirst ? await stripe.findCharge(order, time) : null;
    const seen = found ?? (order ? await stripe.charge(order) : NO_METHOD);
    return settleCharge(state, data.attempt, seen, calling.now);
  },
});
