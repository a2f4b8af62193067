import { addDays, dayAt, instantOf } from "@tributary/contracts/dates";
import type { DataOf, FactOf } from "@tributary/contracts/event";
import {
  PayoutFailed,
  PayoutHeld,
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
  | FactOf<typeof PayoutHeld>
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

/** What arrived is looked at once more after 30 days: PayPal tells no webhook when it takes a payment back itself. */
const lastLook = (now: string): string => instantOf(addDays(dayAt(now), 30), "00:05");

/** PayPal has taken the payout; what has become of it is asked for later, unless a webhook says it. */
export const submitted = (of: DataOf<typeof PayoutQueued>, paypal_payout_batch_id: string, now: string) =>
  [
    PayoutSubmitted({ ...identity(of), attempt: of.attempt, paypal_payout_batch_id }),
    schedule(POLL_PAYOUT, of.payout_id, nextPoll(now, now)),
  ] as const;

const ENDS = ["succeeded", "failed", "returned", "refunded", "reversed"] as const;

/** How an attempt ends with the money ours again, so that it may be sent anew. */
export const IS_OURS_AGAIN: readonly PayoutStatus[] = ["failed", "returned", "refunded", "reversed"];

/** While it stands so, PayPal will go on with it by itself. */
export const MOVES_BY_ITSELF: readonly PayoutStatus[] = ["submitted", "unclaimed", "on_hold", "blocked"];

/** What may follow what: a payout never goes back, except that what was paid or unclaimed can return. */
const FOLLOWS: Record<PayoutStatus, readonly SeenItem["status"][]> = {
  queued: ["pending", "unclaimed", "on_hold", "blocked", ...ENDS],
  submitted: ["unclaimed", "on_hold", "blocked", ...ENDS],
  unclaimed: ["on_hold", "blocked", ...ENDS],
  on_hold: ["unclaimed", "blocked", ...ENDS],
  blocked: [...ENDS],
  succeeded: ["returned", "refunded", "reversed"],
  failed: [],
  returned: [],
  refunded: [],
  reversed: [],
};

/**
 * Moves a payout by what PayPal says of its item, whoever said it first: the batch's answer, a webhook, or a poll. Hearing
 * the same twice or in another order changes nothing, and neither does what is said of an earlier attempt.
 */
export function settlePayout(state: Payout, item: SeenItem, now: string): (PayoutFact | Scheduled)[] {
  const { queued } = state;
  if (!queued || state.past_batches.includes(item.payout_batch_id)) return [];
  if (item.status === "succeeded" && IS_OURS_AGAIN.includes(state.status))
    throw new Error(`${queued.payout_id}: paid after it had been told as ${state.status}`);
  if (!FOLLOWS[state.status].includes(item.status)) return [];
  const [taken, poll] = submitted(queued, item.payout_batch_id, now);
  const first = state.status === "queued" ? [taken] : [];
  if (item.status === "pending") return [...first, poll];
  const of = identity(queued);
  const { fee_cents, payout_item_id: paypal_payout_item_id, reason } = item;
  if (item.status === "unclaimed") {
    const unclaimed = PayoutUnclaimed({ ...of, fee_cents, paypal_payout_item_id, reason });
    return [...first, unclaimed, ...(state.status === "queued" ? [poll] : [])];
  }
  if (item.status === "on_hold" || item.status === "blocked") {
    const held = PayoutHeld({ ...of, status: item.status, paypal_payout_item_id, reason });
    return [...first, held, ...(state.status === "queued" ? [poll] : [])];
  }
  const succeeded = PayoutSucceeded({ ...of, fee_cents, paypal_payout_item_id, stripe_transfer_id: null });
  if (item.status === "succeeded")
    return [...first, succeeded, schedule(POLL_PAYOUT, queued.payout_id, lastLook(now))];
  if (item.status === "failed")
    return [...first, PayoutFailed({ ...of, failure_reason: reason, paypal_payout_item_id })];
  const missed = item.status !== "returned" && state.status !== "succeeded" ? [succeeded] : [];
  const was_paid = missed.length > 0 || state.status === "succeeded";
  const back = { was_paid, as: item.status, failure_reason: reason, paypal_payout_item_id };
  return [...first, ...missed, PayoutReturned({ ...of, ...back })];
}

/** The same moves, addressed to the payout by whoever stands outside of its stream. */
export const toPayout = (
  payout_id: string,
  moves: readonly (PayoutFact | Scheduled)[],
): (Addressed | Scheduled)[] => moves.map((move) => ("kind" in move ? move : to(payout.at(payout_id), move)));
