import { ProdMetricIngested, ReportPulled } from "@tributary/contracts/events/attribution";
import type { Acting } from "@tributary/runtime/acting";
import { anyhow, to } from "@tributary/runtime/decision";
import { amazon } from "../amazon/amazon.ts";
import { figuresHash, type ProductLine } from "../amazon/report-lines.ts";
import type { MadeLink } from "../link.ts";
import { productMetric, type Revision } from "../metric.ts";
import { sync } from "../sync.ts";
import { advertisersOf, linksOf } from "./known-to-us.ts";
import type { Pull, Pulled } from "./pull-performance.ts";

type Row = ProductLine & { readonly metric_id: string; readonly link: MadeLink };

const BATCH = 500;

/** Reads the products report of these days. It explains sales by product and moves no money. */
export async function pullProducts(
  acting: Acting,
  { account, run, from, through, patience }: Pull,
): Promise<Pulled> {
  const { brand_id, profile_id } = account;
  const advertiser_ids = await advertisersOf(acting, account, patience);
  const pages = acting.use(amazon).productRows({ account, advertiser_ids, from, through, patience });
  let [rows, changed, unknown] = [0, 0, 0];

  for await (const { report_id, lines } of pages) {
    const links = await linksOf(acting, lines);
    const ours = new Map<string, Row>();
    for (const line of lines) {
      const of = links.get(line.adgroup_id ?? "");
      if (of?.status !== "made" || of.brand_id !== brand_id) unknown++;
      else {
        const metric_id = [of.link_id, line.date, line.product_asin, line.product_conversion_type].join(":");
        ours.set(metric_id, { ...line, metric_id, link: of });
      }
    }
    rows += lines.length;
    const fetched = { report_id, fetched_at: acting.now };
    const all = [...ours.values()];
    for (let at = 0; at < all.length; at += BATCH) {
      const batch = all.slice(at, at + BATCH);
      let news = 0;
      await acting.act({ last: batch.map(({ metric_id }) => productMetric.at(metric_id)) }, ({ last }) => {
        const revisions = batch.flatMap((row, index) => revise(row, last[index]!, fetched));
        news = revisions.length;
        return revisions;
      });
      changed += news;
    }
  }
  await acting.act({}, () => [
    anyhow(
      sync.at(brand_id),
      ReportPulled({ brand_id, profile_id, report: "products", run, from, through, rows, changed, unknown }),
    ),
  ]);
  return { rows, changed };
}

function revise(
  row: Row,
  { revision, row_hash: known }: Revision,
  fetched: { report_id: string; fetched_at: string },
) {
  const row_hash = figuresHash(row.figures);
  if (row_hash === known) return [];
  const { link_id, brand_id, creator_id, asin, product_id } = row.link;
  return [
    to(
      productMetric.at(row.metric_id),
      ProdMetricIngested({
        metric_id: row.metric_id,
        link_id,
        brand_id,
        creator_id,
        product_id: row.product_asin === asin ? product_id : null,
        product_asin: row.product_asin,
        date: row.date,
        revision: revision + 1,
        product_conversion_type: row.product_conversion_type,
        ...row.figures,
        source: { ...fetched, row_hash },
      }),
    ),
  ];
}
