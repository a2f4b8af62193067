import { PerfMetricIngested, ProdMetricIngested } from "@tributary/contracts/events/attribution";
import { stream, when } from "@tributary/runtime/stream";

/** The last revision of what the retailer said of one link and day. */
export interface Revision {
  readonly revision: number;
  readonly row_hash: string | null;
  readonly masked: boolean;
}
const unknown: Revision = { revision: 0, row_hash: null, masked: false };

/** Performance figures: the money source. Keyed by the metric's natural id (ad group, date). */
export const metric = stream("metric", unknown, [
  when(PerfMetricIngested, (_, { data }) => ({
    revision: data.revision,
    row_hash: data.source.row_hash,
    masked: data.masked,
  })),
]);

/** Product rows of a link and day: explanation only, never money. Keyed by link, date, asin and conversion type. */
export const productMetric = stream("product-metric", unknown, [
  when(ProdMetricIngested, (_, { data }) => ({
    revision: data.revision,
    row_hash: data.source.row_hash,
    masked: false,
  })),
]);
