import { PerfMetricIngested } from "@tributary/contracts/events/attribution";
import type { ExplainNode } from "@tributary/contracts/http/explain";
import { type Cents, centsToE4, formatCents, formatE4 } from "@tributary/contracts/money";
import { readModel } from "@tributary/runtime/read-models/read-model";
import { when } from "@tributary/runtime/stream";
import { z } from "zod";

const RevisionDocument = z.object({
  id: z.string(),
  metric: PerfMetricIngested.schema,
  recorded: z.object({ at: z.string(), by: z.string().nullable(), event_id: z.string(), stream: z.string() }),
});
export type RevisionDocument = z.infer<typeof RevisionDocument>;

/** The id under which one revision of a metric is explained. */
export const revisionId = (metric_id: string, revision: number): string => `${metric_id}@${revision}`;

/** Every revision the retailer ever showed, whole: the leaves of an explanation. */
export const metricRevisions = readModel("metric-revisions", RevisionDocument, {
  on: [
    when(PerfMetricIngested, (_, { data, time, actor, id, stream }) => ({
      id: revisionId(data.metric_id, data.revision),
      metric: data,
      recorded: { at: time, by: actor, event_id: id, stream },
    })),
  ],
  key: ({ data }) => revisionId(data.metric_id, data.revision),
});

const fourDigits = (amount: Cents): string => formatE4(centsToE4(amount));

/** What the retailer reported, as the last level of an explanation: `total` and `promoted` are what earnings refer to. */
export function explainRevision({ id, metric, recorded }: RevisionDocument): ExplainNode {
  const { date, link_id, revision, source } = metric;
  return {
    kind: "metric",
    id,
    title: `Amazon's report of ${date} for the link ${link_id}, ${revision === 1 ? "as first shown" : `revision ${revision}`}`,
    amounts: {
      total: fourDigits(metric.total_attributed_sales_14d),
      promoted: fourDigits(metric.attributed_sales_14d),
    },
    explains: null,
    formula: null,
    parts: [],
    children: [],
    recorded,
    details: {
      link_id,
      product_id: metric.product_id,
      date,
      revision,
      synced_on: metric.synced_on,
      masked: metric.masked,
      click_throughs: metric.click_throughs,
      purchases_14d: metric.purchases_14d,
      units_sold_14d: metric.units_sold_14d,
      brb_bonus_amount: metric.brb_bonus_amount === null ? null : formatCents(metric.brb_bonus_amount),
      report_id: source.report_id,
      row_hash: source.row_hash,
      fetched_at: source.fetched_at,
    },
  };
}
