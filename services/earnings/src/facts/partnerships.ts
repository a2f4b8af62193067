import { day } from "@tributary/contracts/dates";
import { CommissionBase, PartnershipActivated, PartnershipEnded } from "@tributary/contracts/events/program";
import { facts } from "@tributary/runtime/facts";
import { when } from "@tributary/runtime/stream";
import { z } from "zod";

/** From when to when a creator works for a brand, who referred them at which percent, and the commission base of the start. */
export const Partnership = z.object({
  started_on: day,
  ended_on: day.nullable(),
  program_id: z.string(),
  commission_base: CommissionBase,
  referrer_creator_id: z.string().nullable(),
  referral_percent: z.int().nullable(),
});
export type Partnership = z.infer<typeof Partnership>;

/** Who earns at which brand and since when, by partnership. */
export const partnerships = facts("partnerships", Partnership, {
  on: [
    when(PartnershipActivated, (_, { data }) => ({
      started_on: data.started_on,
      ended_on: null,
      program_id: data.source_program_id,
      commission_base: data.commission_base,
      referrer_creator_id: data.referrer_creator_id,
      referral_percent: data.referral_percent,
    })),
    when(PartnershipEnded, (partnership, { data }) =>
      partnership ? { ...partnership, ended_on: data.ended_on } : null,
    ),
  ],
  key: ({ data }) => data.partnership_id,
});
