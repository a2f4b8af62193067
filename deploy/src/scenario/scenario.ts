import { day } from "@tributary/contracts/dates";
import { GrossUp } from "@tributary/contracts/events/billing";
import { CommissionBase } from "@tributary/contracts/events/program";
import { z } from "zod";

/** The scenario breaks a sentence of "Valid."; the message says which, and where. */
export class InvalidScenario extends Error {
  override readonly name = "InvalidScenario";
}

const key = z
  .string("must be a key")
  .regex(/^[a-zA-Z0-9_-]{1,40}$/, "must be 1 to 40 of a-z, A-Z, 0-9, - and _");
/** Digits, and perhaps a point and more digits: no sign, no exponent. */
const amount = z.string("must be decimal text").regex(/^\d+(\.\d+)?$/, "must be decimal text such as 19.99");
const percent = z.int("must be a whole number").min(1, "must be at least 1").max(100, "must be at most 100");
const whole = (least: number) =>
  z
    .number("must be a whole number")
    .refine(Number.isInteger, "must be a whole number")
    .min(least, `must be at least ${least}`);

export const Payment = z.enum(["card", "ach", "card_declined_once", "ach_fails", "none"]);
export type Payment = z.infer<typeof Payment>;
export const Payout = z.enum(["stripe", "paypal", "venmo", "none"]);

const Product = z.strictObject({ key, price: amount, percent });
const Brand = z.strictObject({
  key,
  payment: Payment,
  commission_base: CommissionBase.default("total"),
  products: z.array(Product),
});
export type BrandRole = z.infer<typeof Brand>;
const Creator = z.strictObject({ key, payout: Payout });
export type CreatorRole = z.infer<typeof Creator>;

const at = { on: day };
const pair = { ...at, brand: key, creator: key };
const Event = z.discriminatedUnion("do", [
  z.strictObject({ do: z.literal("partner"), ...pair }),
  z.strictObject({ do: z.literal("refer"), ...pair, referrer: key, percent }),
  z.strictObject({ do: z.literal("link"), ...pair, key, product: key }),
  z.strictObject({
    do: z.literal("fee"),
    ...at,
    brand: key,
    product: key,
    creator: key.optional(),
    percent,
  }),
  z.strictObject({ do: z.literal("end"), ...pair }),
  z.strictObject({ do: z.literal("payout"), ...at, creator: key, payout: Payout }),
]);
/** Something that somebody does at 09:00 of its day. */
export type ScenarioEvent = z.infer<typeof Event>;

const Report = z.strictObject({
  on: day,
  link: key,
  date: day,
  clicks: whole(0),
  promoted: amount,
  total: amount,
});
/** From 12:00 of `on` the retailer's report says this of (link, date). */
export type ReportedRow = z.infer<typeof Report>;

/** What people do and what the retailer's report says, with everything that may be left out filled in. */
export const Scenario = z.strictObject({
  start: day,
  days: whole(1),
  settings: z
    .strictObject({
      close_day: z
        .int("must be a whole number")
        .min(1, "must be at least 1")
        .max(31, "must be at most 31")
        .default(3),
      min_payout: amount.default("10.00"),
      gross_up: GrossUp.default("card"),
    })
    .prefault({}),
  brands: z.array(Brand),
  creators: z.array(Creator),
  events: z.array(Event).default([]),
  reports: z.array(Report).default([]),
});
export type Scenario = z.infer<typeof Scenario>;
