import type { DataOf, FactOf } from "@tributary/contracts/event";
import {
  PayoutFailed,
  type PayoutQueued,
  PayoutReturned,
  PayoutSubmitted,
  PayoutSucceeded,
  PayoutUnclaimed,
} from "@tributary/contracts/events/billing";
import { type Addressed, type Scheduled, schedule, to } from "@tributary/runtime/decision";
import { type Payout, type PayoutStatus, payout } from "./payout.ts";
import type { SeenItem } from "./paypal/partner.ts";

/** The job that asks what became of a payout nobody has told us about. */
export const POLL_PAYOUT = { name: "poll-payout" };

export type PayoutFact =
  | FactOf<typeof PayoutSubmitted>
  | FactOf<typeof PayoutSucceeded>
  | FactOf<typeof PayoutUnclaimed>
  | FactOf<typeof PayoutFailed>
  | FactOf<typeof PayoutReturned>;

const HOUR_MS = 3_600_000;

/** What every event of a payout says of it. */
export function identity(of: DataOf<typeof PayoutQueued>) {
  const { payout_id, cycle_id, month, brand_id, creator_id, charge_id, statement_id, rail, amount_cents } =
    of;
  return { payout_id, cycle_id, month, brand_id, creator_id, charge_id, statement_id, rail, amount_cents };
}

/** Asked for every hour on its first day, every day after. */
export function nextPoll(submitted_at: string, now: string): string {
  const young = Date.parse(now) - Date.parse(submitted_at) < 24 * HOUR_MS;
  return new Date(Date.parse(now) + (young ? HOUR_MS : 24 * HOUR_MS)).toISOString();
}

/** PayPal has taken the payout; what has become of it is asked for later, unless a webhook says it. */
export const submitted = (of: DataOf<typeof PayoutQueued>, paypal_payout_batch_id: string, now: string) =>
  [
    PayoutSubmitted({ ...identity(of), attempt: of.attempt, paypal_payout_batch_id }),
    schedule(POLL_PAYOUT, of.payout_id, nextPoll(now, now)),
  ] as const;

/** What may follow what: a payout never goes back, except that what was paid or unclaimed can return. */
const FOLLOWS: Record<PayoutStatus, readonly SeenItem["status"][]> = {
  queued: ["pending", "unclaimed", "succeeded", "failed", "returned"],
  submitted: ["unclaimed", "succeeded", "failed", "returned"],
  unclaimed: ["succeeded", "failed", "returned"],
  succeeded: ["returned"],
  failed: [],
  returned: [],
};

/**
 * Moves a payout by what PayPal says of its item, whoever said it first: the batch's answer, a webhook, or a poll. Hearing
 * the same twice or in another order changes nothing.
 */
export function settlePayout(state: Payout, item: SeenItem, now: string): (PayoutFact | Scheduled)[] {
  const { queued } = state;
  if (!queued || !FOLLOWS[state.status].includes(item.status)) return [];
  const [taken, poll] = submitted(queued, item.payout_batch_id, now);
  const first = state.status === "queued" ? [taken] : [];
  if (item.status === "pending") return [...first, poll];
  const of = identity(queued);
  const { fee_cents, payout_item_id: paypal_payout_item_id, reason } = item;
  if (item.status === "unclaimed") {
    const unclaimed = PayoutUnclaimed({ ...of, fee_cents, paypal_payout_item_id, reason });
    return [...first, unclaimed, ...(state.status === "queued" ? [poll] : [])];
  }
  if (item.status === "succeeded")
    return [...first, PayoutSucceeded({ ...of, fee_cents, paypal_payout_item_id, stripe_transfer_id: null })];
  if (item.status === "failed")
    return [...first, PayoutFailed({ ...of, failure_reason: reason, paypal_payout_item_id })];
  const was_paid = state.status === "succeeded";
  return [...first, PayoutReturned({ ...of, was_paid, failure_reason: reason, paypal_payout_item_id })];
}

/** The same moves, addressed to the payout by whoever stands outside of its stream. */
export const toPayout = (
  payout_id: string,
  moves: readonly (PayoutFact | Scheduled)[],
): (Addressed | Scheduled)[] => moves.map((move) => ("kind" in move ? move : to(payout.at(payout_id), move)));
