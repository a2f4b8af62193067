import { day } from "@tributary/contracts/dates";
import type { DataOf } from "@tributary/contracts/event";
import {
  CommissionBase,
  type PartnershipActivated,
  type PartnershipEnded,
} from "@tributary/contracts/events/program";
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

/** The creator began. */
export const activated = (data: DataOf<typeof PartnershipActivated>): Partnership => ({
  started_on: data.started_on,
  ended_on: null,
  program_id: data.source_program_id,
  commission_base: data.commission_base,
  referrer_creator_id: data.referrer_creator_id,
  referral_percent: data.referral_percent,
});

/** The creator stopped; a partnership that never began has nothing to end. */
export const ended = (
  partnership: Partnership | undefined,
  { ended_on }: DataOf<typeof PartnershipEnded>,
): Partnership | undefined => partnership && { ...partnership, ended_on };
