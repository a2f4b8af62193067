import { job } from "@tributary/runtime/job";
import { charge } from "../charge.ts";
import { LOOK_UP_CHARGE, settleCharge, toCharge } from "../settle-charge.ts";
import { stripePartner } from "../stripe/client.ts";

const DAY_MS = 86_400_000;

/** A bank debit has been under way for days and no webhook said how it went: Stripe is asked, every day. */
export const lookUpCharge = job(LOOK_UP_CHARGE.name, {
  run: async (running) => {
    const { key, now } = running;
    const { open } = await running.read({ open: charge.at(key) });
    if (open?.phase !== "processing" || !open.stripe_payment_intent_id) return undefined;
    const { seen } = await running.use(stripePartner).intent(open.stripe_payment_intent_id);
    const { attempt } = open;
    await running.act({ open: charge.at(key) }, ({ open }) =>
      toCharge(key, settleCharge(open!, attempt, seen, now)),
    );
    return seen.status === "processing"
      ? { again: new Date(Date.parse(now) + DAY_MS).toISOString() }
      : undefined;
  },
});
