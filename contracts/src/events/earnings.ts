import { z } from "zod";
import { day } from "../dates.ts";
import { eventsOf } from "../event.ts";
import { e4, usd } from "../money.ts";
import { Heads } from "./attribution.ts";
import { CommissionBase } from "./program.ts";

const event = eventsOf("earnings");

export const EarningType = z.enum(["commission", "referral"]);
export type EarningType = z.infer<typeof EarningType>;

const earning = {
  earning_id: z.string(),
  earning_type: EarningType,
  metric_id: z.string(),
  link_id: z.string(),
  product_id: z.string(),
  brand_id: z.string(),
  /** Who is paid: the creator of the link, or who referred them. */
  creator_id: z.string(),
  /** Whose sales they were, in a referral earning. */
  referred_creator_id: z.string().nullable(),
  partnership_id: z.string(),
  date: day,
  /** The marketplace day of the pull that showed the base. */
  synced_on: day,
};

/** The first base above zero of a (link, date): earned at the percent in force on that day, which is kept for all revisions. */
export const EarningAccrued = event(
  "EarningAccrued",
  z.object({
    ...earning,
    revision: z.int(),
    /** Which of the report's two sales figures the brand pays on; absent means `total`. */
    commission_base: CommissionBase.optional(),
    sales_amount: usd,
    commission_rate: z.int(),
    /** Which version of the fee it was: whose, from when, set by whom. */
    rate: z.object({
      scope: z.enum(["product", "private", "referral"]),
      effective_from: day.nullable(),
      set_by: z.string().nullable(),
    }),
    amount: e4,
  }),
);

/** The retailer restated the day: the difference at the recorded percent. */
export const EarningAdjusted = event(
  "EarningAdjusted",
  z.object({
    ...earning,
    from_revision: z.int(),
    to_revision: z.int(),
    from_sales_amount: usd,
    to_sales_amount: usd,
    commission_rate: z.int(),
    delta: e4,
    /** What the earning is worth now. */
    amount: e4,
  }),
);

/** A restatement of a day more than 60 days old: nothing is booked, somebody must look at it. */
export const RestatementRefused = event(
  "RestatementRefused",
  z.object({
    metric_id: z.string(),
    link_id: z.string(),
    brand_id: z.string(),
    creator_id: z.string(),
    date: day,
    synced_on: day,
    revision: z.int(),
    accrued_sales_amount: usd,
    reported_sales_amount: usd,
  }),
);

/** The retailer's figure is back at what was accrued: of a refused restatement nothing is left to look at. */
export const RestatementWithdrawn = event(
  "RestatementWithdrawn",
  z.object({
    metric_id: z.string(),
    link_id: z.string(),
    brand_id: z.string(),
    creator_id: z.string(),
    date: day,
    synced_on: day,
    revision: z.int(),
  }),
);

/** Everything that the pull of `through` showed of this brand has been accrued, at or before `heads` of this log. */
export const AccruedThrough = event(
  "AccruedThrough",
  z.object({
    brand_id: z.string(),
    through: day,
    heads: Heads,
    /** How far attribution's log had been accrued: the heads of the pull it answers. */
    synced: Heads.optional(),
    outcome: z.enum(["complete", "no_links", "disconnected"]),
  }),
);
