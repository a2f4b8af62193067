import { day } from "@tributary/contracts/dates";
import { Heads } from "@tributary/contracts/events/attribution";
import { AccruedThrough } from "@tributary/contracts/events/earnings";
import { facts } from "@tributary/runtime/facts";
import { when } from "@tributary/runtime/stream";
import { z } from "zod";
import { BUCKETS, bucketOf } from "../buckets.ts";

const Accrued = z.object({ brand_id: z.string(), through: day, heads: Heads });
const Row = z.object({ brands: z.array(Accrued) });
export type Accrued = z.infer<typeof Accrued>;

/** How far earnings has accrued each brand that was ever spoken of. */
export const completeness = facts("completeness", Row, {
  on: [
    when(AccruedThrough, (row, { data: { brand_id, through, heads } }) => ({
      brands: [
        ...(row?.brands ?? []).filter((brand) => brand.brand_id !== brand_id),
        { brand_id, through, heads },
      ].sort((a, b) => (a.brand_id < b.brand_id ? -1 : 1)),
    })),
  ],
  key: ({ data: { brand_id } }) => bucketOf(brand_id),
});

/** All rows. */
export const everyBrand = BUCKETS.map((bucket) => completeness.at(bucket));
