import type { DataOf } from "@tributary/contracts/event";
import {
  ChargeActionRequired,
  ChargeAttemptStarted,
  ChargeFailed,
  ChargePastDue,
  ChargeProcessing,
  ChargeRequested,
  ChargeRetryRequested,
  ChargeSucceeded,
} from "@tributary/contracts/events/billing";
import { stream, when } from "@tributary/runtime/stream";

/** A charge and how far its latest attempt has come; an attempt only ever moves from `started` to `processing` or `action` to `settled`. */
export interface Charge {
  readonly request: DataOf<typeof ChargeRequested>;
  readonly status: "processing" | "requires_action" | "failed" | "succeeded" | "past_due";
  readonly attempt: number;
  /** How many of the attempts the brand asked for itself: they don't count against the schedule. */
  readonly by_hand: number;
  readonly phase: "started" | "processing" | "action" | "settled";
  readonly started_at: string;
  /** The method of the latest attempt. */
  readonly stripe_payment_method_id: string | null;
  readonly stripe_payment_intent_id: string | null;
}

const moved = (state: Charge | null, change: Partial<Charge>): Charge => ({ ...state!, ...change });

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
  when(ChargeSucceeded, (state, { data: { stripe_payment_intent_id } }) =>
    moved(state, { status: "succeeded", phase: "settled", stripe_payment_intent_id }),
  ),
  when(ChargeFailed, (state, { data: { stripe_payment_intent_id } }) =>
    moved(state, { status: "failed", phase: "settled", stripe_payment_intent_id }),
  ),
  when(ChargePastDue, (state) => moved(state, { status: "past_due" })),
]);
