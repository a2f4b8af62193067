import type { Month } from "@tributary/contracts/dates";
import { CarriedIn, EarningBooked } from "@tributary/contracts/events/billing";
import { facts } from "@tributary/runtime/facts";
import { when } from "@tributary/runtime/stream";
import { z } from "zod";
import { BUCKETS, bucketOf } from "../buckets.ts";

const Pair = z.object({ brand_id: z.string(), creator_id: z.string() });
const Row = z.object({ pairs: z.array(Pair) });
export type Pair = z.infer<typeof Pair>;
type Row = z.infer<typeof Row>;

const enter = (row: Row | null, { brand_id, creator_id }: Pair): Row => {
  const pairs = row?.pairs ?? [];
  const known = pairs.some((pair) => pair.brand_id === brand_id && pair.creator_id === creator_id);
  return known ? { pairs } : { pairs: [...pairs, { brand_id, creator_id }].sort(byPair) };
};

const byPair = (a: Pair, b: Pair): number => (a.brand_id + a.creator_id < b.brand_id + b.creator_id ? -1 : 1);

/** Which statements a month has, those with only a carry included. What they amount to stands on their own streams. */
export const roster = facts("roster", Row, {
  on: [
    when(EarningBooked, (row, { data }) => enter(row, data)),
    when(CarriedIn, (row, { data }) => enter(row, data)),
  ],
  key: ({ data: { month, statement_id } }) => `${month}:${bucketOf(statement_id)}`,
});

/** All rows of a month. */
export const rowsOf = (month: Month) => BUCKETS.map((bucket) => roster.at(`${month}:${bucket}`));
