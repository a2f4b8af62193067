import { type Day, day } from "@tributary/contracts/dates";
import { RestatementRefused, RestatementWithdrawn } from "@tributary/contracts/events/earnings";
import { asCents, formatCents, storedCents } from "@tributary/contracts/money";
import { readModel, show } from "@tributary/runtime/read-models/read-model";
import { when } from "@tributary/runtime/stream";
import { z } from "zod";

/** A (link, date) whose reported sales differ from what was accrued and came too late to be booked by itself. */
export const RefusedRestatement = z.object({
  id: z.string(),
  link_id: z.string(),
  brand_id: z.string(),
  creator_id: z.string(),
  date: day,
  synced_on: day,
  revision: z.int(),
  accrued: storedCents,
  reported: storedCents,
});
export type RefusedRestatement = z.infer<typeof RefusedRestatement>;

/** One line of the review as the brand sees it; amounts are decimal text in dollars. */
export interface RestatementToReview {
  readonly metric_id: string;
  readonly link_id: string;
  readonly creator_id: string;
  readonly date: Day;
  readonly synced_on: Day;
  readonly accrued_base: string;
  readonly reported_base: string;
  readonly delta_base: string;
}

const toReview = (refused: RefusedRestatement): RestatementToReview => ({
  metric_id: refused.id,
  link_id: refused.link_id,
  creator_id: refused.creator_id,
  date: refused.date,
  synced_on: refused.synced_on,
  accrued_base: formatCents(refused.accrued),
  reported_base: formatCents(refused.reported),
  delta_base: formatCents(asCents(refused.reported - refused.accrued)),
});

/** What waits for somebody's eyes, by metric: the last word of the report, gone when the report is back at what was accrued. */
export const refusedRestatements = readModel("refused_restatements", RefusedRestatement, {
  on: [
    when(RestatementRefused, (_, { data }) => ({
      id: data.metric_id,
      link_id: data.link_id,
      brand_id: data.brand_id,
      creator_id: data.creator_id,
      date: data.date,
      synced_on: data.synced_on,
      revision: data.revision,
      accrued: data.accrued_sales_amount,
      reported: data.reported_sales_amount,
    })),
    when(RestatementWithdrawn, () => null),
  ],
  key: ({ data }) => data.metric_id,
  indexes: [["brand_id", "date"]],
  routes: {
    "GET /api/restatements/review": show<RefusedRestatement>()({
      access: { as: "brand", owns: "brand_id" },
      input: z.object({
        after: z.string().optional(),
        limit: z.coerce.number().int().min(1).max(500).optional(),
      }),
      answer: async (refused, { after, limit }) => {
        const { items, next } = await refused.sort("date").page({ after, limit });
        return { items: items.map(toReview), next };
      },
    }),
  },
});
