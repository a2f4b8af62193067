import type { DataOf } from "@tributary/contracts/event";
import {
  PayoutFailed,
  PayoutQueued,
  PayoutReturned,
  PayoutSubmitted,
  PayoutSucceeded,
  PayoutUnclaimed,
} from "@tributary/contracts/events/billing";
import { stream, when } from "@tributary/runtime/stream";

export type PayoutStatus = "queued" | "submitted" | "unclaimed" | "succeeded" | "failed" | "returned";

/** What a creator gets, and how far it has come on its way. */
export interface Payout {
  /** Null for the transfer of a destination charge, which needs no call of its own. */
  readonly queued: DataOf<typeof PayoutQueued> | null;
  readonly status: PayoutStatus;
  readonly submitted_at: string | null;
  readonly paypal_payout_batch_id: string | null;
}

const moved = (state: Payout | null, change: Partial<Payout>): Payout => ({ ...state!, ...change });

/** One payout of one statement. */
export const payout = stream("payout", null as Payout | null, [
  when(PayoutQueued, (_, { data }) => ({
    queued: data,
    status: "queued",
    submitted_at: null,
    paypal_payout_batch_id: null,
  })),
  when(PayoutSubmitted, (state, { data: { paypal_payout_batch_id }, time }) =>
    moved(state, { status: "submitted", submitted_at: time, paypal_payout_batch_id }),
  ),
  when(PayoutUnclaimed, (state) => moved(state, { status: "unclaimed" })),
  when(PayoutSucceeded, (state) => ({
    queued: state?.queued ?? null,
    status: "succeeded",
    submitted_at: state?.submitted_at ?? null,
    paypal_payout_batch_id: state?.paypal_payout_batch_id ?? null,
  })),
  when(PayoutFailed, (state) => moved(state, { status: "failed" })),
  when(PayoutReturned, (state) => moved(state, { status: "returned" })),
]);
