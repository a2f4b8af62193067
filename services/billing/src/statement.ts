import type { Month } from "@tributary/contracts/dates";
import type { DataOf } from "@tributary/contracts/event";
import { CarriedIn, EarningBooked, StatementIssued } from "@tributary/contracts/events/billing";
import { asE4, type E4, NO_E4 } from "@tributary/contracts/money";
import { stream, when } from "@tributary/runtime/stream";

interface Statement {
  readonly commission: E4;
  readonly referral: E4;
  readonly adjustments: E4;
  readonly carried_in: E4;
  readonly months_below_minimum: number;
  readonly issued: DataOf<typeof StatementIssued> | null;
}

const empty: Statement = {
  commission: NO_E4,
  referral: NO_E4,
  adjustments: NO_E4,
  carried_in: NO_E4,
  months_below_minimum: 0,
  issued: null,
};

const column = { commission: "commission", referral: "referral", adjustment: "adjustments" } as const;

/** What one brand owes one creator for one month, entry by entry, until it is issued. */
export const statement = stream("statement", empty, [
  when(EarningBooked, (state, { data: { booked_as, amount } }) => ({
    ...state,
    [column[booked_as]]: asE4(state[column[booked_as]] + amount),
  })),
  when(CarriedIn, (state, { data: { amount, months_below_minimum } }) => ({
    ...state,
    carried_in: asE4(state.carried_in + amount),
    months_below_minimum,
  })),
  when(StatementIssued, (state, { data }) => ({ ...state, issued: data })),
]);

export const statementKey = (month: Month, brand_id: string, creator_id: string): string =>
  `${month}:${brand_id}:${creator_id}`;
