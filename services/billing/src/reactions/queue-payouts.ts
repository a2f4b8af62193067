import { ChargeSucceeded, PayoutQueued, PayoutSucceeded } from "@tributary/contracts/events/billing";
import { NO_CENTS } from "@tributary/contracts/money";
import { to } from "@tributary/runtime/decision";
import { reaction } from "@tributary/runtime/reaction";
import { payoutId } from "../ids.ts";
import { payout } from "../payout.ts";
import { payoutDestination } from "../payout-destination.ts";

/**
 * The brand has paid: every creator of a platform charge gets a payout on its way. A destination charge has paid its
 * creator in the same moment.
 */
export const queuePayouts = reaction("queue-payouts", {
  on: [ChargeSucceeded],
  reads: ({ data: { month, brand_id, breakdown } }) => ({
    payouts: breakdown.map(({ creator_id }) => payout.at(payoutId(month, brand_id, creator_id))),
    destinations: breakdown.map(({ creator_id }) => payoutDestination.at(creator_id)),
  }),
  decide: ({ data }, { payouts, destinations }) =>
    data.breakdown.flatMap((share, at) => {
      if (payouts[at]) return [];
      const { month, cycle_id, brand_id, charge_id } = data;
      const { creator_id, statement_id, rail, net_cents, payout_fee_cents } = share;
      const payout_id = payoutId(month, brand_id, creator_id);
      const of = {
        ...{ payout_id, cycle_id, month, brand_id, creator_id, charge_id, statement_id, rail },
        amount_cents: net_cents,
      };
      if (data.kind === "creator") {
        const { stripe_transfer_id } = data;
        const paid = { fee_cents: NO_CENTS, paypal_payout_item_id: null, stripe_transfer_id };
        return [to(payout.at(payout_id), PayoutSucceeded({ ...of, ...paid }))];
      }
      const receiver = rail === "venmo" ? destinations[at]!.venmo_handle : destinations[at]!.paypal_email;
      if (!receiver)
        throw new Error(`creator ${creator_id} is to be paid by ${rail} and has said no address`);
      const queued = PayoutQueued({
        ...of,
        attempt: 1,
        currency: "USD",
        paypal_receiver: receiver,
        fee_cents: payout_fee_cents,
        idempotency_key: `pay:${month}:${brand_id}:${creator_id}:a1`,
      });
      return [to(payout.at(payout_id), queued)];
    }),
});
