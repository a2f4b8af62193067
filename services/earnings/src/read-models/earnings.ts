import { day } from "@tributary/contracts/dates";
import { EarningAccrued, EarningAdjusted, EarningType } from "@tributary/contracts/events/earnings";
import { CommissionBase } from "@tributary/contracts/events/program";
import { asCents, storedCents, storedE4 } from "@tributary/contracts/money";
import { readModel } from "@tributary/runtime/read-models/read-model";
import { when } from "@tributary/runtime/stream";
import { z } from "zod";

/** One line of an earning's history: the accrual, or the difference a restatement made. */
const Entry = z.object({
  /** Null in the accrual. */
  from_revision: z.int().nullable(),
  to_revision: z.int(),
  /** The sales this entry is about: the first base, or what it moved by. */
  sales_amount: storedCents,
  amount: storedE4,
  synced_on: day,
  recorded_at: z.string(),
  recorded_by: z.string().nullable(),
  event_id: z.string(),
  stream: z.string(),
});

/** What a metric has earned somebody: its value now, the terms it was accrued on, and how it came about. */
export const EarningDocument = z.object({
  id: z.string(),
  earning_type: EarningType,
  metric_id: z.string(),
  link_id: z.string(),
  product_id: z.string(),
  brand_id: z.string(),
  creator_id: z.string(),
  referred_creator_id: z.string().nullable(),
  date: day,
  commission_base: CommissionBase,
  commission_rate: z.int(),
  rate_scope: z.enum(["product", "private", "referral"]),
  rate_effective_from: day.nullable(),
  rate_set_by: z.string().nullable(),
  sales_amount: storedCents,
  amount: storedE4,
  entries: z.array(Entry),
});
export type EarningDocument = z.infer<typeof EarningDocument>;

const recorded = (event: { time: string; actor: string | null; id: string; stream: string }) => ({
  recorded_at: event.time,
  recorded_by: event.actor,
  event_id: event.id,
  stream: event.stream,
});

/** Every earning with its history, by id. */
export const earnings = readModel("earnings", EarningDocument, {
  on: [
    when(EarningAccrued, (_, event) => ({
      id: event.data.earning_id,
      earning_type: event.data.earning_type,
      metric_id: event.data.metric_id,
      link_id: event.data.link_id,
      product_id: event.data.product_id,
      brand_id: event.data.brand_id,
      creator_id: event.data.creator_id,
      referred_creator_id: event.data.referred_creator_id,
      date: event.data.date,
      commission_base: event.data.commission_base ?? "total",
      commission_rate: event.data.commission_rate,
      rate_scope: event.data.rate.scope,
      rate_effective_from: event.data.rate.effective_from,
      rate_set_by: event.data.rate.set_by,
      sales_amount: event.data.sales_amount,
      amount: event.data.amount,
      entries: [
        {
          from_revision: null,
          to_revision: event.data.revision,
          sales_amount: event.data.sales_amount,
          amount: event.data.amount,
          synced_on: event.data.synced_on,
          ...recorded(event),
        },
      ],
    })),
    when(EarningAdjusted, (earning, event) => {
      if (!earning) throw new Error(`earning ${event.data.earning_id} was adjusted before it was accrued`);
      const { from_revision, to_revision, from_sales_amount, to_sales_amount, delta, amount } = event.data;
      return {
        ...earning,
        sales_amount: to_sales_amount,
        amount,
        entries: [
          ...earning.entries,
          {
            from_revision,
            to_revision,
            sales_amount: asCents(to_sales_amount - from_sales_amount),
            amount: delta,
            synced_on: event.data.synced_on,
            ...recorded(event),
          },
        ],
      };
    }),
  ],
  key: ({ data }) => data.earning_id,
});
