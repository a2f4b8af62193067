import type { DataOf } from "@tributary/contracts/event";
import {
  ChargeActionRequired,
  ChargeAttemptStarted,
  ChargeDisputed,
  ChargeFailed,
  ChargePastDue,
  ChargeProcessing,
  ChargeRefunded,
  ChargeRequested,
  ChargeRetryRequested,
  ChargeSucceeded,
  ChargeTransferReversed,
  ChargeWrittenOff,
} from "@tributary/contracts/events/billing";
import type { ChargeStatus } from "@tributary/contracts/http/billing";
import { asCents, type Cents, NO_CENTS } from "@tributary/contracts/money";
import { stream, when } from "@tributary/runtime/stream";

/** All that has gone back of a paid charge so far. */
export interface MoneyBack {
  readonly refunded_cents: Cents;
  readonly reversed_cents: Cents;
  readonly fee_returned_cents: Cents;
  readonly withdrawn_cents: Cents;
  readonly dispute_fee_cents: Cents;
  readonly dispute_status: DataOf<typeof ChargeDisputed>["status"] | null;
  /** How much of the creators' shares the brand owes again. */
  readonly owed_again_cents: Cents;
}

const NOTHING_BACK: MoneyBack = {
  ...{ refunded_cents: NO_CENTS, reversed_cents: NO_CENTS, fee_returned_cents: NO_CENTS },
  ...{ withdrawn_cents: NO_CENTS, dispute_fee_cents: NO_CENTS, dispute_status: null },
  owed_again_cents: NO_CENTS,
};

/** A charge and how far its latest attempt has come; an attempt only ever moves from `started` to `processing` or `action` to `settled`. */
export interface Charge {
  readonly request: DataOf<typeof ChargeRequested>;
  readonly status: ChargeStatus;
  readonly attempt: number;
  /** How many of the attempts the brand asked for itself: they don't count against the schedule. */
  readonly by_hand: number;
  readonly phase: "started" | "processing" | "action" | "settled";
  readonly started_at: string;
  /** The method of the latest attempt. */
  readonly stripe_payment_method_id: string | null;
  readonly stripe_payment_intent_id: string | null;
  /** The attempt that was paid; null while none is. */
  readonly paid_attempt: number | null;
  /** What has gone back since it was paid. */
  readonly back: MoneyBack;
}

const moved = (state: Charge | null, change: Partial<Charge>): Charge => ({ ...state!, ...change });

const plus = (one: Cents, other: Cents): Cents => asCents(one + other);

/** One payment asked of a brand, through all its attempts. */
export const charge = stream("charge", null as Charge | null, [
  when(ChargeRequested, (_, { data, time }) => ({
    request: data,
    status: "processing",
    attempt: 0,
    by_hand: 0,
    phase: "settled",
    started_at: time,
    stripe_payment_method_id: null,
    stripe_payment_intent_id: null,
    paid_attempt: null,
    back: NOTHING_BACK,
  })),
  when(ChargeAttemptStarted, (state, { data: { attempt, stripe_payment_method_id }, time }) =>
    moved(state, {
      status: "processing",
      attempt,
      phase: "started",
      started_at: time,
      stripe_payment_method_id,
      stripe_payment_intent_id: null,
    }),
  ),
  when(ChargeRetryRequested, (state) => moved(state, { by_hand: state!.by_hand + 1 })),
  when(ChargeProcessing, (state, { data: { stripe_payment_intent_id } }) =>
    moved(state, { phase: "processing", stripe_payment_intent_id }),
  ),
  when(ChargeActionRequired, (state, { data: { stripe_payment_intent_id } }) =>
    moved(state, { status: "requires_action", phase: "action", stripe_payment_intent_id }),
  ),
  when(ChargeSucceeded, (state, { data: { stripe_payment_intent_id, attempt } }) =>
    moved(state, {
      status: "succeeded",
      phase: "settled",
      stripe_payment_intent_id,
      paid_attempt: attempt,
    }),
  ),
  when(ChargeFailed, (state, { data: { stripe_payment_intent_id } }) =>
    moved(state, { status: "failed", phase: "settled", stripe_payment_intent_id }),
  ),
  when(ChargeRefunded, (state, { data }) =>
    moved(state, {
      status: data.full ? "refunded" : state!.status,
      back: {
        ...state!.back,
        refunded_cents: data.refunded_total_cents,
        owed_again_cents: plus(state!.back.owed_again_cents, data.owed_again_cents),
      },
    }),
  ),
  when(ChargeTransferReversed, (state, { data }) =>
    moved(state, {
      back: {
        ...state!.back,
        reversed_cents: plus(state!.back.reversed_cents, data.reversed_cents),
        fee_returned_cents: plus(state!.back.fee_returned_cents, data.fee_returned_cents),
      },
    }),
  ),
  when(ChargeDisputed, (state, { data }) =>
    moved(state, {
      status: data.status === "won" ? "succeeded" : "disputed",
      back: {
        ...state!.back,
        dispute_status: data.status,
        withdrawn_cents: plus(state!.back.withdrawn_cents, data.withdrawn_cents),
        dispute_fee_cents: plus(state!.back.dispute_fee_cents, data.fee_cents),
        owed_again_cents: plus(state!.back.owed_again_cents, data.owed_again_cents),
      },
    }),
  ),
  when(ChargeWrittenOff, (state) => moved(state, { status: "written_off" })),
  when(ChargePastDue, (state) => moved(state, { status: "past_due" })),
]);
