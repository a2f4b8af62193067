import { month } from "@tributary/contracts/dates";
import {
  CarriedIn,
  CarriedReason,
  EarningBooked,
  Rail,
  StatementIssued,
} from "@tributary/contracts/events/billing";
import { asE4, NO_CENTS, NO_E4, storedCents, storedE4 } from "@tributary/contracts/money";
import { readModel } from "@tributary/runtime/read-models/read-model";
import { when } from "@tributary/runtime/stream";
import { z } from "zod";
import { Recorded, recordedBy } from "./recorded.ts";

const Statement = z.object({
  statement_id: z.string(),
  cycle_id: z.string(),
  month,
  brand_id: z.string(),
  creator_id: z.string(),
  commission: storedE4,
  referral: storedE4,
  adjustments: storedE4,
  carried_in: storedE4,
  carried_from: z.string().nullable(),
  rounding: storedE4,
  charged: storedCents,
  carried_out: storedE4,
  carried_reason: CarriedReason.nullable(),
  issued: z.boolean(),
  rail: Rail.nullable(),
  charge_id: z.string().nullable(),
  recorded: Recorded,
});
export type StatementDocument = z.infer<typeof Statement>;

type Begun = Pick<StatementDocument, "statement_id" | "cycle_id" | "month" | "brand_id" | "creator_id">;

const begun = ({ statement_id, cycle_id, month, brand_id, creator_id }: Begun) => ({
  ...{ statement_id, cycle_id, month, brand_id, creator_id },
  ...{ commission: NO_E4, referral: NO_E4, adjustments: NO_E4, carried_in: NO_E4, carried_from: null },
  ...{ rounding: NO_E4, charged: NO_CENTS, carried_out: NO_E4, carried_reason: null },
  ...{ issued: false, rail: null, charge_id: null },
});

const column = { commission: "commission", referral: "referral", adjustment: "adjustments" } as const;

/** What every brand owes every creator, month by month: provisional sums until the statement is issued. */
export const statements = readModel("statements", Statement, {
  on: [
    when(EarningBooked, (known, event) => {
      const { booked_as, amount } = event.data;
      const statement = known ?? { ...begun(event.data), recorded: recordedBy(event) };
      return { ...statement, [column[booked_as]]: asE4(statement[column[booked_as]] + amount) };
    }),
    when(CarriedIn, (known, event) => {
      const { amount, from_statement_id } = event.data;
      const statement = known ?? { ...begun(event.data), recorded: recordedBy(event) };
      const carried_in = asE4(statement.carried_in + amount);
      return { ...statement, carried_in, carried_from: from_statement_id };
    }),
    when(StatementIssued, (known, event) => {
      const { net, minimum_waived, months_below_minimum, ...issued } = event.data;
      return { ...begun(event.data), ...known, ...issued, issued: true, recorded: recordedBy(event) };
    }),
  ],
  key: ({ data: { statement_id } }) => statement_id,
  indexes: [["month"], ["brand_id", "month"], ["creator_id", "month"], ["cycle_id", "brand_id"]],
});
