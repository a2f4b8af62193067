import { to } from "@tributary/runtime/decision";
import { job, type Running } from "@tributary/runtime/job";
import { type Charge, charge } from "../charge.ts";
import { methodOf, paymentMethods } from "../payment-method.ts";
import { attemptStarted, RETRY_CHARGE, settleCharge, toCharge } from "../settle-charge.ts";
import { stripePartner } from "../stripe/client.ts";

/**
 * Nobody has agreed at the bank in time. The attempt is called off before another begins, so that the two can't both be
 * paid. Where Stripe has already taken it, its answer is awaited.
 */
async function callOff(waiting: Charge, running: Running): Promise<undefined | { again: string }> {
  const { key, now } = running;
  const { attempt, stripe_payment_intent_id } = waiting;
  const seen = await running.use(stripePartner).callOff(stripe_payment_intent_id!);
  await running.act({ open: charge.at(key) }, ({ open }) =>
    toCharge(key, settleCharge(open!, attempt, seen, now)),
  );
  const still = seen.status === "processing" || seen.status === "requires_action";
  return still ? { again: new Date(Date.parse(now) + 3_600_000).toISOString() } : undefined;
}

/** The next attempt of a failed charge is due: it is made with the backup, or else the method the brand has now. */
export const retryCharge = job(RETRY_CHARGE.name, {
  run: async (running) => {
    const { key } = running;
    const { due } = await running.read({ due: charge.at(key) });
    if (!due) throw new Error(`no charge ${key} to be tried again`);
    if (due.status === "requires_action") return callOff(due, running);
    await running.act(
      { due: charge.at(key), wallet: paymentMethods.at(due.request.brand_id) },
      ({ due, wallet }) => {
        if (due?.status !== "failed") return [];
        const attempt = due.attempt + 1;
        return [to(charge.at(key), attemptStarted(due.request, attempt, methodOf(attempt, wallet)))];
      },
    );
    return undefined;
  },
});
