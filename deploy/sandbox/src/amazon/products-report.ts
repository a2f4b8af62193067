import type { Reader } from "./ads-access.ts";
import { visible } from "./attribution.ts";
import type { AmazonContext } from "./context.ts";
import type { Row } from "./performance-report.ts";
import { publisherName } from "./publishers.ts";
import type { ReportQuestion } from "./report-request.ts";
import type { Click, Product } from "./state.ts";

const TOP = 100;

interface Sold {
  click: Click;
  product: Product;
  date: string;
  promoted: boolean;
  purchases: number;
  units: number;
  sales: number;
}

function metric(name: string, { promoted, purchases, units, sales }: Sold): string {
  if (name.startsWith("brandHalo") === promoted || name.includes("NewToBrand")) return "0";
  if (name.endsWith("Sales14d")) return String(sales);
  if (name.endsWith("nitsSold14d") || name.includes("AddToCart")) return String(units);
  return String(purchases);
}

function bestSellers(sold: Sold[]): Set<string> {
  const sales = new Map<string, number>();
  for (const { click, product, sales: amount } of sold) {
    const key = `${click.campaign_id} ${product.asin}`;
    sales.set(key, (sales.get(key) ?? 0) + amount);
  }
  const kept = new Map<string, number>();
  return new Set(
    [...sales.entries()]
      .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
      .filter(([key]) => {
        const campaign = key.slice(0, key.lastIndexOf(" "));
        const rank = (kept.get(campaign) ?? 0) + 1;
        kept.set(campaign, rank);
        return rank <= TOP;
      })
      .map(([key]) => key),
  );
}

/** The PRODUCTS report: what was bought, by ad group and day; the hundred best sellers of each campaign, no clicks. */
export function productRows(
  ctx: AmazonContext,
  { seller, profile }: Reader,
  question: ReportQuestion,
): Row[] {
  const seen = visible(ctx, seller, profile);
  const lifetime = new Map<string, number>();
  for (const { adgroup_id } of seen.clicks) lifetime.set(adgroup_id, (lifetime.get(adgroup_id) ?? 0) + 1);
  const products = new Map(seller.products.map((product) => [product.asin, product]));
  const rows = new Map<string, Sold>();
  for (const { click, order, date, promoted } of seen.conversions) {
    if (date < question.from || date > question.to) continue;
    if ((lifetime.get(click.adgroup_id) ?? 0) < ctx.state.settings.mask_below) continue;
    const key = [click.campaign_id, click.adgroup_id, click.publisher, order.asin, promoted, date].join(" ");
    const product = products.get(order.asin)!;
    const row = rows.get(key) ?? { click, product, date, promoted, purchases: 0, units: 0, sales: 0 };
    row.purchases++;
    row.units += order.qty;
    row.sales += Number(order.price) * order.qty;
    rows.set(key, row);
  }
  const best = bestSellers([...rows.values()]);
  return [...rows.entries()]
    .filter(([, { click, product }]) => best.has(`${click.campaign_id} ${product.asin}`))
    .map(([key, sold]) => ({
      key,
      date: sold.date,
      shown: {
        date: sold.date.replaceAll("-", ""),
        advertiserName: seller.name,
        campaignId: sold.click.campaign_id,
        adGroupId: sold.click.adgroup_id,
        publisher: publisherName(sold.click.publisher),
        productAsin: sold.product.asin,
        productName: sold.product.title,
        productGroup: sold.product.category,
        productCategory: sold.product.category,
        productSubcategory: sold.product.category,
        brandName: seller.name,
        marketplace: "AMAZON.COM",
        productConversionType: sold.promoted ? "Promoted" : "Brand Halo",
        ...Object.fromEntries(question.metrics.map((name) => [name, metric(name, sold)])),
      },
    }));
}
