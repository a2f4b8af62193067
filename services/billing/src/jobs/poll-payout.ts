import { job } from "@tributary/runtime/job";
import { payout } from "../payout.ts";
import { paypalPartner } from "../paypal/client.ts";
import { MOVES_BY_ITSELF, nextPoll, POLL_PAYOUT, settlePayout, toPayout } from "../settle-payout.ts";

/** PayPal has had a payout for a while: it is asked what became of it, until that is final, and once more a month later. */
export const pollPayout = job(POLL_PAYOUT.name, {
  run: async (running) => {
    const { key, now } = running;
    const { open } = await running.read({ open: payout.at(key) });
    if (!open?.paypal_payout_batch_id || !open.submitted_at) return undefined;
    if (open.status !== "succeeded" && !MOVES_BY_ITSELF.includes(open.status)) return undefined;
    const items = await running.use(paypalPartner).items(open.paypal_payout_batch_id);
    const item = items.find(({ sender_item_id }) => sender_item_id === key);
    if (item) {
      await running.act({ open: payout.at(key) }, ({ open }) =>
        toPayout(key, settlePayout(open!, item, now)),
      );
    }
    const waiting = !item || item.status === "pending" || MOVES_BY_ITSELF.some((one) => one === item.status);
    return waiting ? { again: nextPoll(open.submitted_at, now) } : undefined;
  },
});
