import { PaypalEventReceived, WebhookProcessed } from "@tributary/contracts/events/billing";
import { effect } from "@tributary/runtime/effect";
import { payout } from "../payout.ts";
import { paypalPartner } from "../paypal/client.ts";
import { settlePayout, toPayout } from "../settle-payout.ts";
import { paypalEvent } from "../webhook-inbox.ts";

/** PayPal said that something happened to a payout or a batch: its items are looked at again and what they say now counts. */
export const heedPaypal = effect("heed-paypal", {
  on: PaypalEventReceived,
  stream: ({ data: { paypal_event_id } }) => paypalEvent.at(paypal_event_id),
  call: async ({ data }, state, calling) => {
    if (state === "processed") return [];
    const { paypal_event_id: event_id, payout_item_id, payout_batch_id } = data;
    const paypal = calling.use(paypalPartner);
    const items = payout_item_id
      ? [await paypal.item(payout_item_id)]
      : payout_batch_id
        ? await paypal.items(payout_batch_id)
        : [];
    let outcome: "settled" | "nothing_new" | "not_ours" = items.length > 0 ? "nothing_new" : "not_ours";
    for (const item of items) {
      const id = item.sender_item_id;
      await calling.act({ open: payout.at(id) }, ({ open }) => {
        const moves = open ? settlePayout(open, item, calling.now) : [];
        if (moves.length > 0) outcome = "settled";
        return toPayout(id, moves);
      });
    }
    return [WebhookProcessed({ event_id, outcome })];
  },
});
