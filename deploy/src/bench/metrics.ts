import { addDays, asDay } from "@tributary/contracts/dates";
import { PerfMetricIngested } from "@tributary/contracts/events/attribution";
import { metricId } from "@tributary/contracts/ids";
import { asCents } from "@tributary/contracts/money";

export const BRAND = "7a3f6c1e-9b1d-5f0a-8c55-0d5b7c1f2a10";
export const CREATOR = "e0b6a2d4-51f7-5c39-b8de-3f1c9a7d6b22";
export const PARTNERSHIP = "0c9d8e7f-6a5b-5c4d-9e3f-2a1b0c9d8e7f";
export const PRODUCT = "5d4c3b2a-1f0e-5d9c-8b7a-6f5e4d3c2b1a";
/** So many links share the metrics, each with one a day. */
const LINKS = 100;

/** A row of the retailer's report as attribution records it: the index picks link and day; one in seven sold nothing. */
export function metric(
  index: number,
  revision: number,
): { readonly stream: string; readonly fact: ReturnType<typeof PerfMetricIngested> } {
  const link_id = `link${String(index % LINKS).padStart(6, "0")}`;
  const date = addDays(asDay("2025-01-01"), Math.floor(index / LINKS));
  const metric_id = metricId(link_id, date);
  const sold = index % 7;
  const fact = PerfMetricIngested({
    metric_id,
    link_id,
    brand_id: BRAND,
    creator_id: CREATOR,
    partnership_id: PARTNERSHIP,
    product_id: PRODUCT,
    date,
    revision,
    synced_on: addDays(date, revision),
    masked: false,
    click_throughs: 10 + (index % 90),
    detail_page_views_14d: 8,
    total_detail_page_view_clicks_14d: 9,
    add_to_cart_14d: 3,
    total_add_to_cart_clicks_14d: 4,
    purchases_14d: sold,
    total_purchases_14d: sold,
    units_sold_14d: sold,
    total_units_sold_14d: sold,
    attributed_sales_14d: asCents(BigInt(sold * 1999)),
    total_attributed_sales_14d: asCents(BigInt(sold * 1999)),
    brb_bonus_amount: null,
    source: { report_id: `report-${revision}`, fetched_at: "2026-01-05T18:00:00.000Z", row_hash: metric_id },
  });
  return { stream: `metric/${metric_id}`, fact };
}
