import type { FactOf } from "@tributary/contracts/event";
import {
  ChargeActionRequired,
  ChargeAttemptStarted,
  ChargeFailed,
  ChargePastDue,
  ChargeProcessing,
  ChargeSucceeded,
  PaymentMethodBlocked,
} from "@tributary/contracts/events/billing";
import { type Addressed, anyhow, type Scheduled, schedule, to } from "@tributary/runtime/decision";
import { nextAttemptAt } from "./attempt-schedule.ts";
import { type Charge, charge } from "./charge.ts";
import { paymentMethodId } from "./ids.ts";
import { type PaymentMethod, paymentMethods } from "./payment-method.ts";
import type { Seen } from "./stripe/partner.ts";

/** The job that makes a due attempt, and the one that asks for a debit nobody has told us about. */
export const RETRY_CHARGE = { name: "retry-charge" };
export const LOOK_UP_CHARGE = { name: "look-up-charge" };

/** A bank debit is asked about when it should have been answered long ago. */
const SILENCE_DAYS = 5;

const DAY_MS = 86_400_000;
const later = (now: string, days: number): string => new Date(Date.parse(now) + days * DAY_MS).toISOString();

/** A card holder has until the next attempt to agree, but two days at least, and a week where none follows. */
function actionUntil(next_attempt_at: string | null, now: string): string {
  const least = later(now, 2);
  return next_attempt_at === null ? later(now, 7) : next_attempt_at > least ? next_attempt_at : least;
}

export type ChargeFact =
  | FactOf<typeof ChargeActionRequired>
  | FactOf<typeof ChargeProcessing>
  | FactOf<typeof ChargeSucceeded>
  | FactOf<typeof ChargeFailed>
  | FactOf<typeof ChargePastDue>;

type Identity = Pick<Charge["request"], "charge_id" | "cycle_id" | "month" | "brand_id" | "creator_id">;

/** What every event of a charge says of it. */
export const identity = ({ charge_id, cycle_id, month, brand_id, creator_id }: Identity): Identity => ({
  charge_id,
  cycle_id,
  month,
  brand_id,
  creator_id,
});

/** Begins the n-th attempt with the method the brand has now; its key at the partner says month, brand, whom and which attempt. */
export const attemptStarted = (of: Identity, attempt: number, method: PaymentMethod | null) =>
  ChargeAttemptStarted({
    ...identity(of),
    attempt,
    idempotency_key: `chg:${of.month}:${of.brand_id}:${of.creator_id ?? "platform"}:a${attempt}`,
    stripe_customer_id: method?.stripe_customer_id ?? null,
    stripe_payment_method_id: method?.stripe_payment_method_id ?? null,
    mandate_id: method?.mandate_id ?? null,
    pm_type: method?.pm_type ?? null,
  });

/** A bank's refusals after which the account can't be debited again, whoever asks; want of money is none of them (partners, 5.4). */
const BLOCKING = [
  "account_closed",
  "debit_not_authorized",
  "no_account",
  "payment_intent_mandate_invalid",
  "payment_method_bank_account_blocked",
];

function blocks({ request, stripe_payment_method_id }: Charge, code: string): Addressed[] {
  if (!stripe_payment_method_id || !BLOCKING.includes(code)) return [];
  const { brand_id } = request;
  const payment_method_id = paymentMethodId(brand_id, stripe_payment_method_id);
  const blocked = PaymentMethodBlocked({ brand_id, payment_method_id, reason: code, network_code: null });
  return [anyhow(paymentMethods.at(brand_id), blocked)];
}

const rank = { started: 0, processing: 1, action: 1, settled: 2 } as const;
const phases = { processing: "processing", requires_action: "action" } as const;

/**
 * Moves a charge by what the partner says of one of its attempts, whoever said it first: the answer of the call, a
 * webhook, or a look-up. An attempt only moves forward, so hearing the same twice or in another order changes nothing.
 * After a failure the next attempt is put on the table, or the charge is past due; a method that its bank will never let
 * us debit again is blocked in the same unit, so that no attempt is wasted on it.
 */
export function settleCharge(
  state: Charge,
  attempt: number,
  seen: Seen,
  now: string,
): (ChargeFact | Addressed | Scheduled)[] {
  const { request } = state;
  const told = { ...identity(request), attempt };
  const phase = phases[seen.status as keyof typeof phases] ?? "settled";
  if (attempt < state.attempt || rank[phase] <= rank[state.phase]) {
    if (seen.status === "succeeded" && state.paid_attempt !== attempt)
      throw new Error(
        `${request.charge_id}: attempt ${attempt} succeeded beside another, or after it had been told as failed`,
      );
    return [];
  }
  if (seen.status === "processing") {
    const { stripe_payment_intent_id } = seen;
    if (!stripe_payment_intent_id)
      throw new Error(`${request.charge_id}: processing without a payment intent`);
    const asked = later(now, SILENCE_DAYS);
    return [
      ChargeProcessing({ ...told, stripe_payment_intent_id }),
      schedule(LOOK_UP_CHARGE, request.charge_id, asked),
    ];
  }
  if (seen.status === "succeeded") {
    const { stripe_payment_intent_id, fee_cents, stripe_charge_id, stripe_transfer_id } = seen;
    return [
      ChargeSucceeded({
        ...told,
        kind: request.kind,
        amount: request.amount,
        amount_grossed_cents: request.amount_grossed_cents,
        breakdown: request.breakdown,
        fee_cents,
        stripe_payment_intent_id: stripe_payment_intent_id!,
        stripe_charge_id,
        stripe_transfer_id,
      }),
    ];
  }
  const next_attempt_at = nextAttemptAt(attempt - state.by_hand, request.closed_on, now);
  if (seen.status === "requires_action") {
    const { stripe_payment_intent_id } = seen;
    const until = actionUntil(next_attempt_at, now);
    return [
      ChargeActionRequired({ ...told, stripe_payment_intent_id, until }),
      schedule(RETRY_CHARGE, request.charge_id, until),
    ];
  }
  const { stripe_payment_intent_id, code, message } = seen;
  const failed = ChargeFailed({ ...told, stripe_payment_intent_id, code, message, next_attempt_at });
  const blocked = blocks(state, code);
  if (next_attempt_at === null)
    return [failed, ChargePastDue({ ...identity(request), attempts: attempt }), ...blocked];
  return [failed, ...blocked, schedule(RETRY_CHARGE, request.charge_id, next_attempt_at)];
}

/** The same moves, addressed to the charge by whoever stands outside of its stream. */
export const toCharge = (
  charge_id: string,
  moves: readonly (ChargeFact | Addressed | Scheduled)[],
): (Addressed | Scheduled)[] => moves.map((move) => ("kind" in move ? move : to(charge.at(charge_id), move)));
