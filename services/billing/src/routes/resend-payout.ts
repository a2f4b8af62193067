import { PayoutQueued } from "@tributary/contracts/events/billing";
import { asCents } from "@tributary/contracts/money";
import { to } from "@tributary/runtime/decision";
import { conflict, notFound, unprocessable } from "@tributary/runtime/refusal";
import { type Asking, route } from "@tributary/runtime/route";
import { z } from "zod";
import { charge } from "../charge.ts";
import { type Payout, payout } from "../payout.ts";
import { payoutDestination, receiverOf } from "../payout-destination.ts";
import { paypalPartner } from "../paypal/client.ts";
import { IS_OURS_AGAIN, identity, settlePayout, toPayout } from "../settle-payout.ts";

/** A new attempt costs again; what the one before cost is the partner's word. */
const FEE = asCents(25n);

/** Takes back what nobody has claimed at an address that the creator has corrected meanwhile; whoever was quicker counts. */
async function takeBack(id: string, of: Payout, receiver: string, asking: Asking): Promise<void> {
  if (of.status !== "unclaimed" || !of.paypal_payout_item_id) return;
  if (of.queued!.paypal_receiver === receiver)
    throw conflict("same_destination", "Nobody has claimed it at this address; correct the address first");
  const item = await asking.use(paypalPartner).takeBack(of.paypal_payout_item_id);
  await asking.act({ open: payout.at(id) }, ({ open }) =>
    toPayout(id, settlePayout(open!, item, asking.now)),
  );
}

/**
 * The creator has corrected where they are paid and wants a payout sent again. That begins a new attempt, which only
 * follows one that is over with the money back: of two askers one begins it.
 */
export const resendPayout = route("POST /api/earnings/payouts/:id/resend", {
  access: { as: "creator" },
  input: z.strictObject({ id: z.string() }),
  handle: async ({ id }, asking) => {
    const creator_id = asking.caller!.creator_id!;
    const refs = { open: payout.at(id), destination: payoutDestination.at(creator_id) };
    const { open, destination } = await asking.read(refs);
    if (open?.queued?.creator_id !== creator_id) throw notFound("Payout");
    const { rail, receiver } = receiverOf(destination, open!.queued!.rail);
    if (!receiver) throw unprocessable("destination_incomplete", "Tell us where PayPal is to send it first");
    await takeBack(id, open!, receiver, asking);
    const paid = charge.at(open!.queued!.charge_id);
    await asking.act({ ...refs, paid }, ({ open, destination, paid }) => {
      const { queued, status } = open!;
      if (!IS_OURS_AGAIN.includes(status))
        throw conflict("payout_under_way", "It can be sent again only after it has come back");
      if (paid?.status === "disputed")
        throw conflict("payment_contested", "The brand's bank contests this payment; it is held until then");
      const now = receiverOf(destination, queued!.rail);
      const attempt = queued!.attempt + 1;
      const { month, brand_id } = queued!;
      return [
        to(
          payout.at(id),
          PayoutQueued({
            ...identity(queued!),
            ...{ attempt, currency: "USD", rail: now.rail, paypal_receiver: now.receiver!, fee_cents: FEE },
            idempotency_key: `pay:${month}:${brand_id}:${creator_id}:a${attempt}`,
          }),
        ),
      ];
    });
    const { now } = await asking.read({ now: payout.at(id) });
    return { payout_id: id, rail, attempt: now!.queued!.attempt, status: now!.status };
  },
});
