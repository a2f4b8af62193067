import {
  CreatorFeeAgreed,
  CreatorFeeChangeCancelled,
  CreatorProductGranted,
  CreatorProductStatusSet,
} from "@tributary/contracts/events/program";
import { type FeeVersion, withoutPending, withVersion } from "@tributary/contracts/fees";
import { stream, when } from "@tributary/runtime/stream";

interface State {
  readonly status: "none" | "active" | "paused" | "removed";
  /** Private fees only; the product's own percent counts while none is in force. */
  readonly fees: readonly FeeVersion[];
}
export type CreatorProductState = State;

/** One product granted to one partner, keyed by `creatorProductId`, with the private fees agreed for it. */
export const creatorProduct = stream("creator-product", { status: "none", fees: [] } as State, [
  when(CreatorProductGranted, (state) => ({ ...state, status: "active" })),
  when(CreatorProductStatusSet, (state, { data: { status } }) => ({ ...state, status })),
  when(CreatorFeeAgreed, (state, { data: { percent, effective_from, requested_on, set_by } }) => ({
    ...state,
    fees: withVersion<FeeVersion>(state.fees, { percent, effective_from, requested_on, set_by }),
  })),
  when(CreatorFeeChangeCancelled, (state, { data: { requested_on } }) => ({
    ...state,
    fees: withoutPending(state.fees, requested_on),
  })),
]);
