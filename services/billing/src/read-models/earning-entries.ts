import { day, month } from "@tributary/contracts/dates";
import { BookedAs, EarningBooked } from "@tributary/contracts/events/billing";
import { EarningType } from "@tributary/contracts/events/earnings";
import { storedE4 } from "@tributary/contracts/money";
import { readModel } from "@tributary/runtime/read-models/read-model";
import { when } from "@tributary/runtime/stream";
import { z } from "zod";

const Entry = z.object({
  entry_id: z.string(),
  earning_id: z.string(),
  entry: z.int(),
  earning_type: EarningType,
  booked_as: BookedAs,
  amount: storedE4,
  date: day,
  month,
  brand_id: z.string(),
  creator_id: z.string(),
  link_id: z.string(),
  product_id: z.string(),
  commission_rate: z.int(),
  referred_creator_id: z.string().nullable(),
  statement_id: z.string(),
});
export type EntryDocument = z.infer<typeof Entry>;

const entryId = (earning_id: string, entry: number): string => `${earning_id}@${entry}`;

/** Every booked revision of every earning: what the statements are made of. */
export const earningEntries = readModel("earning-entries", Entry, {
  on: [
    when(EarningBooked, (_, { data }) => {
      const { cycle_id, metric_id, revision, ...entry } = data;
      return { ...entry, entry_id: entryId(data.earning_id, data.entry) };
    }),
  ],
  key: ({ data: { earning_id, entry } }) => entryId(earning_id, entry),
  indexes: [["creator_id", "date"], ["statement_id"]],
});
