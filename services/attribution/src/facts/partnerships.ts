import { PartnershipActivated, PartnershipEnded } from "@tributary/contracts/events/program";
import { facts } from "@tributary/runtime/facts";
import { when } from "@tributary/runtime/stream";
import { z } from "zod";

const Partnership = z.object({ partnership_id: z.string(), active: z.boolean() });

/** The brands a creator works or has worked with, by brand; a row per creator. */
export const partnerships = facts("partnerships", z.object({ brands: z.record(z.string(), Partnership) }), {
  on: [
    when(PartnershipActivated, (row, { data: { brand_id, partnership_id } }) => ({
      brands: { ...row?.brands, [brand_id]: { partnership_id, active: true } },
    })),
    when(PartnershipEnded, (row, { data: { brand_id, partnership_id } }) => ({
      brands: { ...row?.brands, [brand_id]: { partnership_id, active: false } },
    })),
  ],
  key: ({ data }) => data.creator_id,
});
