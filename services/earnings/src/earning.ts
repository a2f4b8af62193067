import {
  EarningAccrued,
  EarningAdjusted,
  RestatementRefused,
  RestatementWithdrawn,
} from "@tributary/contracts/events/earnings";
import type { Cents, E4 } from "@tributary/contracts/money";
import { stream, when } from "@tributary/runtime/stream";

/** What was booked of one metric for one earning type; nothing yet, or the accrued base and the percent kept for all revisions. */
export type Earning =
  | { readonly status: "none" }
  | {
      readonly status: "accrued";
      readonly creator_id: string;
      readonly referred_creator_id: string | null;
      readonly partnership_id: string;
      readonly percent: number;
      readonly sales_amount: Cents;
      readonly amount: E4;
      /** The metric's revision that showed the accrued base. */
      readonly revision: number;
      /** The last revision anything was decided about, refused ones included. */
      readonly heard_revision: number;
      /** What the report said too late and somebody has yet to look at. */
      readonly refused_amount: Cents | null;
    };

/** Refusals are told of accrued earnings only: the first accrual is never refused. */
function accrued(state: Earning): Extract<Earning, { status: "accrued" }> {
  if (state.status === "none") throw new Error("an earning was restated that was never accrued");
  return state;
}

/** One metric and one earning type: by its natural key the same sales can't be earned twice. */
export const earning = stream("earning", { status: "none" } as Earning, [
  when(EarningAccrued, (_, { data }) => ({
    status: "accrued",
    creator_id: data.creator_id,
    referred_creator_id: data.referred_creator_id,
    partnership_id: data.partnership_id,
    percent: data.commission_rate,
    sales_amount: data.sales_amount,
    amount: data.amount,
    revision: data.revision,
    heard_revision: data.revision,
    refused_amount: null,
  })),
  when(EarningAdjusted, (state, { data }) => ({
    ...accrued(state),
    sales_amount: data.to_sales_amount,
    amount: data.amount,
    revision: data.to_revision,
    heard_revision: data.to_revision,
    refused_amount: null,
  })),
  when(RestatementRefused, (state, { data }) => ({
    ...accrued(state),
    heard_revision: data.revision,
    refused_amount: data.reported_sales_amount,
  })),
  when(RestatementWithdrawn, (state, { data }) => ({
    ...accrued(state),
    heard_revision: data.revision,
    refused_amount: null,
  })),
]);
