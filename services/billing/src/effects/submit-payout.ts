import { PayoutFailed, PayoutQueued } from "@tributary/contracts/events/billing";
import { effect, later } from "@tributary/runtime/effect";
import { charge } from "../charge.ts";
import { payout } from "../payout.ts";
import { paypalPartner } from "../paypal/client.ts";
import { identity, settlePayout, submitted } from "../settle-payout.ts";

const FUNDS_MS = 3_600_000;
const HOLD_MS = 86_400_000;

/**
 * A payout is on its way: PayPal gets it as a batch of its own. Sending the same batch again finds the first one, so a lost
 * answer costs nothing. When our balance there is short, it waits an hour; while the
 * brand contests what it paid, the payout is held and looked at every day.
 */
export const submitPayout = effect("submit-payout", {
  on: PayoutQueued,
  stream: ({ data: { payout_id } }) => payout.at(payout_id),
  call: async ({ data }, state, calling) => {
    if (state?.status !== "queued" || state.queued?.attempt !== data.attempt) return [];
    const { paid } = await calling.read({ paid: charge.at(data.charge_id) });
    if (paid?.status === "disputed") return later(new Date(Date.parse(calling.now) + HOLD_MS).toISOString());
    const paypal = calling.use(paypalPartner);
    const answer = await paypal.submit({
      sender_batch_id: data.idempotency_key,
      sender_item_id: data.payout_id,
      amount_cents: data.amount_cents,
      wallet: data.rail === "venmo" ? "VENMO" : "PAYPAL",
      receiver: data.paypal_receiver,
      note: `Affiliate earnings of ${data.month}`,
    });
    if (answer.status === "short") {
      calling.log.warn({ payout_id: data.payout_id }, "our PayPal balance doesn't cover a payout");
      return later(new Date(Date.parse(calling.now) + FUNDS_MS).toISOString());
    }
    if (answer.status === "refused") {
      const { reason: failure_reason } = answer;
      return [PayoutFailed({ ...identity(data), failure_reason, paypal_payout_item_id: null })];
    }
    const items = await paypal.items(answer.payout_batch_id);
    const item = items.find(({ sender_item_id }) => sender_item_id === data.payout_id);
    return item
      ? settlePayout(state, item, calling.now)
      : submitted(data, answer.payout_batch_id, calling.now);
  },
});
