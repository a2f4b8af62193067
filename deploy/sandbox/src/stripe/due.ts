import type { Context } from "../core/partner.ts";
import { bankAnswers } from "./bank-debits.ts";
import { dispute } from "./disputes.ts";
import { depositsUnverified } from "./microdeposits.ts";
import { payOut } from "./payouts.ts";
import type { Change, Due, State } from "./state.ts";
import { Unit } from "./unit.ts";

/** When Stripe next does something by itself. */
export function nextDue({ objects }: State): string | null {
  let first: string | null = null;
  for (const { at } of objects.due.values()) if (first === null || at < first) first = at;
  return first;
}

function happen(unit: Unit, { what }: Due, state: State): void {
  switch (what.kind) {
    case "ach":
      bankAnswers(unit, unit.get("payment_intent", what.payment_intent), what.failure);
      break;
    case "dispute":
      dispute(unit, unit.get("charge", what.charge));
      break;
    case "microdeposits_unverified":
      depositsUnverified(unit, unit.get("setup_intent", what.setup_intent));
      break;
    case "payout":
      payOut(unit, what.account, BigInt(state.balances[what.account] ?? "0"));
  }
}

/** Does what has become due, the oldest first, each as a unit of its own. */
export function settle(ctx: Context<State, Change>): void {
  const now = ctx.now().toISOString();
  const due = [...ctx.state.objects.due.values()]
    .filter(({ at }) => at <= now)
    .sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
  for (const one of due) {
    const unit = new Unit(ctx, null);
    unit.drop("due", one.id);
    happen(unit, one, ctx.state);
    unit.commit();
  }
}
