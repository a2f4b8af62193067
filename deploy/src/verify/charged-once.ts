import type { Heard } from "@tributary/contracts/event";
import { ChargeAttemptStarted, ChargeSucceeded } from "@tributary/contracts/events/billing";
import { type Cents, formatCents } from "@tributary/contracts/money";
import { streams } from "./events.ts";
import { type Findings, placeOf } from "./findings.ts";
import type { Ground } from "./ground.ts";

/**
 * I4: no two successful charges have an idempotency key in common, nor a (month, brand, creator) they are for, nor a
 * PaymentIntent. A platform charge is for every creator it has a share for, and for the platform.
 */
export async function chargedOnce(ground: Ground, findings: Findings): Promise<void> {
  const taken = new Map<string, { charge: Heard; row: Heard; amount: Cents; told: boolean }>();
  const once = (what: string, charge: Heard, amount: Cents, row: Heard = charge): void => {
    const first = taken.get(what);
    if (!first) {
      taken.set(what, { charge, row, amount, told: false });
      return;
    }
    const both = `${what} was charged by ${first.charge.stream} and by ${charge.stream}`;
    if (!first.told) findings.found(placeOf(first.row), both, formatCents(first.amount));
    first.told = true;
    findings.found(placeOf(row), both, formatCents(amount));
  };
  for await (const events of streams(ground, [ChargeAttemptStarted, ChargeSucceeded])) {
    const attempts = new Map<number, Heard & { data: { idempotency_key: string } }>();
    for (const event of events) {
      if (event.type === "ChargeAttemptStarted") {
        attempts.set(event.data.attempt, event);
        continue;
      }
      findings.count("successful charges");
      const { attempt, month, brand_id, breakdown, amount, stripe_payment_intent_id, kind } = event.data;
      const started = attempts.get(attempt);
      if (!started) findings.found(placeOf(event), `attempt ${attempt} succeeded and was never started`);
      else once(`the idempotency key ${started.data.idempotency_key}`, event, amount, started);
      once(`the PaymentIntent ${stripe_payment_intent_id}`, event, amount);
      if (kind === "platform") once(`${month} of brand ${brand_id} for the platform`, event, amount);
      for (const { creator_id, net_cents } of breakdown)
        once(`${month} of brand ${brand_id} for creator ${creator_id}`, event, net_cents);
    }
  }
}
