import type { DataOf } from "@tributary/contracts/event";
import {
  PayoutFailed,
  PayoutHeld,
  PayoutQueued,
  PayoutReturned,
  PayoutSubmitted,
  PayoutSucceeded,
  PayoutUnclaimed,
} from "@tributary/contracts/events/billing";
import type { PayoutView } from "@tributary/contracts/http/billing";
import { stream, when } from "@tributary/runtime/stream";

export type PayoutStatus = PayoutView["status"];

/** What a creator gets, and how far it has come on its way. */
export interface Payout {
  /** Null for the transfer of a destination charge, which needs no call of its own. */
  readonly queued: DataOf<typeof PayoutQueued> | null;
  readonly status: PayoutStatus;
  readonly submitted_at: string | null;
  readonly paypal_payout_batch_id: string | null;
  readonly paypal_payout_item_id: string | null;
  /** The batches of the attempts before, all of them over: what PayPal says of those is none of this one's business. */
  readonly past_batches: readonly string[];
}

const moved = (state: Payout | null, change: Partial<Payout>): Payout => ({ ...state!, ...change });

/** One payout of one statement. */
export const payout = stream("payout", null as Payout | null, [
  when(PayoutQueued, (before, { data }) => ({
    queued: data,
    status: "queued",
    submitted_at: null,
    paypal_payout_batch_id: null,
    paypal_payout_item_id: null,
    past_batches: [
      ...(before?.past_batches ?? []),
      ...(before?.paypal_payout_batch_id ? [before.paypal_payout_batch_id] : []),
    ],
  })),
  when(PayoutSubmitted, (state, { data: { paypal_payout_batch_id }, time }) =>
    moved(state, { status: "submitted", submitted_at: time, paypal_payout_batch_id }),
  ),
  when(PayoutUnclaimed, (state, { data: { paypal_payout_item_id } }) =>
    moved(state, { status: "unclaimed", paypal_payout_item_id }),
  ),
  when(PayoutHeld, (state, { data: { status, paypal_payout_item_id } }) =>
    moved(state, { status, paypal_payout_item_id }),
  ),
  when(PayoutSucceeded, (state) => ({
    queued: state?.queued ?? null,
    status: "succeeded",
    submitted_at: state?.submitted_at ?? null,
    paypal_payout_batch_id: state?.paypal_payout_batch_id ?? null,
    paypal_payout_item_id: state?.paypal_payout_item_id ?? null,
    past_batches: state?.past_batches ?? [],
  })),
  when(PayoutFailed, (state) => moved(state, { status: "failed" })),
  when(PayoutReturned, (state, { data }) => moved(state, { status: data.as })),
]);
