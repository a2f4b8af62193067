import { to } from "@tributary/runtime/decision";
import type { Calling } from "@tributary/runtime/effect";
import { charge } from "./charge.ts";
import { moneyBack } from "./money-back.ts";
import { settleCharge, toCharge } from "./settle-charge.ts";
import { stripePartner } from "./stripe/client.ts";

type Heeded = "settled" | "nothing_new" | "not_ours";

/** An attempt has come on: what Stripe says of it now counts. */
export async function heedPayment(id: string, calling: Calling): Promise<Heeded> {
  const { metadata, seen } = await calling.use(stripePartner).intent(id);
  const { charge_id, attempt } = metadata;
  if (!charge_id || !attempt) return "not_ours";
  let moved = 0;
  await calling.act({ open: charge.at(charge_id) }, ({ open }) => {
    const nth = Array.from({ length: open?.attempt ?? 0 }, (_, at) => at + 1).find((n) => `${n}` === attempt);
    if (!open || !nth) return [];
    const moves = settleCharge(open, nth, seen, calling.now);
    moved = moves.length;
    return toCharge(charge_id, moves);
  });
  return moved > 0 ? "settled" : "nothing_new";
}

/** Money has gone back, or is contested. That it had been paid may not have been heard yet: it is looked at first. */
export async function heedMoneyBack(event_type: string, id: string, calling: Calling): Promise<Heeded> {
  const seen = await calling.use(stripePartner).moneyBack(event_type, id);
  const { charge_id } = seen?.metadata ?? {};
  if (!seen || !charge_id) return "not_ours";
  const first = await heedPayment(seen.stripe_payment_intent_id, calling);
  let moved = false;
  await calling.act({ open: charge.at(charge_id) }, ({ open }) => {
    if (open?.stripe_payment_intent_id !== seen.stripe_payment_intent_id) return [];
    const facts = moneyBack(open, seen);
    moved = facts.length > 0;
    return moved ? [to(charge.at(charge_id), ...facts)] : [];
  });
  return moved ? "settled" : first;
}
