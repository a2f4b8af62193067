import { day } from "@tributary/contracts/dates";
import type { DataOf } from "@tributary/contracts/event";
import { PerfMetricIngested } from "@tributary/contracts/events/attribution";
import { LinkDay, type LinkTotals } from "@tributary/contracts/http/attribution";
import { asCents, storedCents } from "@tributary/contracts/money";
import type { Documents, GroupSums } from "@tributary/runtime/read-models/documents";
import { readModel } from "@tributary/runtime/read-models/read-model";
import { when } from "@tributary/runtime/stream";
import { z } from "zod";

const MetricDocument = z.object({
  metric_id: z.string(),
  link_id: z.string(),
  brand_id: z.string(),
  creator_id: z.string(),
  product_id: z.string(),
  date: day,
  revision: z.int(),
  masked: z.boolean(),
  click_throughs: z.int(),
  detail_page_views_14d: z.int(),
  add_to_cart_14d: z.int(),
  purchases_14d: z.int(),
  units_sold_14d: z.int(),
  attributed_sales_14d: storedCents,
  total_attributed_sales_14d: storedCents,
  brb_bonus_amount: storedCents.nullable(),
});
export type MetricDocument = z.infer<typeof MetricDocument>;

const documentOf = (metric: DataOf<typeof PerfMetricIngested>): MetricDocument => ({
  metric_id: metric.metric_id,
  link_id: metric.link_id,
  brand_id: metric.brand_id,
  creator_id: metric.creator_id,
  product_id: metric.product_id,
  date: metric.date,
  revision: metric.revision,
  masked: metric.masked,
  click_throughs: metric.click_throughs,
  detail_page_views_14d: metric.detail_page_views_14d,
  add_to_cart_14d: metric.add_to_cart_14d,
  purchases_14d: metric.purchases_14d,
  units_sold_14d: metric.units_sold_14d,
  attributed_sales_14d: metric.attributed_sales_14d,
  total_attributed_sales_14d: metric.total_attributed_sales_14d,
  brb_bonus_amount: metric.brb_bonus_amount,
});

/** The latest revision of every link and day. */
export const metrics = readModel("metrics", MetricDocument, {
  on: [when(PerfMetricIngested, (_, { data }) => documentOf(data))],
  key: ({ data }) => data.metric_id,
  indexes: [
    ["link_id", "date"],
    ["brand_id", "date"],
    ["creator_id", "date"],
  ],
});

const SUMMED = [
  "click_throughs",
  "detail_page_views_14d",
  "add_to_cart_14d",
  "purchases_14d",
  "units_sold_14d",
  "attributed_sales_14d",
  "total_attributed_sales_14d",
] as const;

/** All days of each link added up; links without any are left out. */
export async function totalsOf(
  documents: Documents<MetricDocument>,
  link_ids: readonly string[],
): Promise<ReadonlyMap<string, LinkTotals>> {
  if (link_ids.length === 0) return new Map();
  const groups = await documents.where({ link_id: { in: link_ids } }).groupSum("link_id", ...SUMMED);
  return new Map(
    groups.flatMap((group) => (group.key === null ? [] : [[group.key, asTotals(group)] as const])),
  );
}

const asTotals = ({ sums }: GroupSums<(typeof SUMMED)[number]>): LinkTotals => ({
  click_throughs: Number(sums.click_throughs),
  detail_page_views_14d: Number(sums.detail_page_views_14d),
  add_to_cart_14d: Number(sums.add_to_cart_14d),
  purchases_14d: Number(sums.purchases_14d),
  units_sold_14d: Number(sums.units_sold_14d),
  attributed_sales_14d: asCents(sums.attributed_sales_14d),
  total_attributed_sales_14d: asCents(sums.total_attributed_sales_14d),
});

/** One day of a link, ready for the wire. */
export const showDay = (metric: MetricDocument): z.input<typeof LinkDay> => z.encode(LinkDay, metric);
