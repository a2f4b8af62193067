import type { Reader } from "./ads-access.ts";
import { visible } from "./attribution.ts";
import type { AmazonContext } from "./context.ts";
import { marketplaceDay } from "./marketplace-day.ts";
import { publisherName } from "./publishers.ts";
import type { ReportQuestion } from "./report-request.ts";
import type { Click, ScriptedRow } from "./state.ts";

/** A row of a report before paging: `key` and `date` order the rows. */
export interface Row {
  key: string;
  date: string;
  shown: Record<string, string>;
}

/** What adds up in a row. Sales are floating-point dollars on purpose: the real reports carry their noise. */
interface Sums {
  clicks: number;
  purchases: number;
  units: number;
  sales: number;
  total_purchases: number;
  total_units: number;
  total_sales: number;
}

interface Group extends Sums {
  dims: Record<string, string>;
  date: string;
  key: string;
  scripted: ScriptedRow[];
  engine: boolean;
}

type Source = Pick<Click, "campaign_id" | "adgroup_id" | "creative_id" | "publisher">;

const NONE: Sums = {
  clicks: 0,
  purchases: 0,
  units: 0,
  sales: 0,
  total_purchases: 0,
  total_units: 0,
  total_sales: 0,
};

function dimensions(level: ReportQuestion["group"], source: Source): Record<string, string> {
  const { campaign_id: campaignId, adgroup_id: adGroupId, creative_id: creativeId } = source;
  if (level === "CAMPAIGN") return { campaignId };
  const publisher = publisherName(source.publisher);
  return level === "ADGROUP"
    ? { campaignId, adGroupId, publisher }
    : { campaignId, adGroupId, creativeId, publisher };
}

/** A number as decimal text, with its noise and never with an exponent. */
function decimal(amount: number): string {
  const text = String(amount);
  if (!text.includes("e")) return text;
  return amount < 1 ? amount.toFixed(20) : BigInt(amount).toString();
}

/** Some of the numbers as the report writes them: text, with whatever noise the sums have. */
function metricTexts(group: Group): Record<string, string> {
  const [only] = group.scripted;
  const literal = only && group.scripted.length === 1 && !group.engine ? only : null;
  const { clicks, purchases, units, total_purchases, total_units } = group;
  const haloViews = total_purchases - purchases;
  return {
    "Click-throughs": String(clicks),
    attributedDetailPageViewsClicks14d: String(clicks),
    attributedAddToCartClicks14d: String(units),
    attributedPurchases14d: String(purchases),
    unitsSold14d: String(units),
    attributedSales14d: literal?.promoted ?? decimal(group.sales),
    attributedTotalDetailPageViewsClicks14d: String(clicks + haloViews),
    attributedTotalAddToCartClicks14d: String(total_units),
    attributedTotalPurchases14d: String(total_purchases),
    totalUnitsSold14d: String(total_units),
    totalAttributedSales14d: literal?.total ?? decimal(group.total_sales),
    brb_bonus_amount: decimal(group.total_sales * 0.1),
  };
}

/** The PERFORMANCE report: one row per (campaign | ad group | creative, day) with zeros where too few ever clicked. */
export function performanceRows(
  ctx: AmazonContext,
  { seller, profile }: Reader,
  question: ReportQuestion,
): Row[] {
  const { state } = ctx;
  const seen = visible(ctx, seller, profile);
  const groups = new Map<string, Group>();
  const lifetime = new Map<string, number>();
  const scripted = [...state.scripted.values()].filter(
    ({ advertiser_id }) => advertiser_id === profile.advertiser_id,
  );

  const keyOf = (source: Source) => Object.values(dimensions(question.group, source)).join(" ");
  const inRange = (date: string) => date >= question.from && date <= question.to;
  const group = (source: Source, date: string): Group => {
    const key = keyOf(source);
    const held = groups.get(`${key} ${date}`);
    if (held) return held;
    const dims = dimensions(question.group, source);
    const made: Group = { ...NONE, dims, date, key, scripted: [], engine: false };
    groups.set(`${key} ${date}`, made);
    return made;
  };

  for (const click of seen.clicks) {
    const key = keyOf(click);
    lifetime.set(key, (lifetime.get(key) ?? 0) + 1);
    const date = marketplaceDay(new Date(click.at));
    if (!inRange(date) || state.scripted.has(`${click.adgroup_id} ${date}`)) continue;
    const row = group(click, date);
    row.engine = true;
    row.clicks++;
  }
  for (const { click, order, date, promoted } of seen.conversions) {
    if (!inRange(date) || state.scripted.has(`${click.adgroup_id} ${date}`)) continue;
    const row = group(click, date);
    const amount = Number(order.price) * order.qty;
    row.engine = true;
    row.total_purchases++;
    row.total_units += order.qty;
    row.total_sales += amount;
    if (!promoted) continue;
    row.purchases++;
    row.units += order.qty;
    row.sales += amount;
  }
  for (const line of scripted) {
    if (!inRange(line.date)) continue;
    const row = group(line, line.date);
    row.scripted.push(line);
    row.clicks += line.clicks;
    row.sales += Number(line.promoted);
    row.total_sales += Number(line.total);
  }

  return [...groups.values()].map((row) => {
    const masked = row.scripted.length === 0 && (lifetime.get(row.key) ?? 0) < state.settings.mask_below;
    const texts = metricTexts(masked ? { ...row, ...NONE } : row);
    const metrics = question.metrics
      .filter((name) => name !== "brb_bonus_amount" || seller.brand_bonus)
      .map((name) => [name, texts[name]!]);
    return {
      key: row.key,
      date: row.date,
      shown: {
        date: row.date.replaceAll("-", ""),
        advertiserName: seller.name,
        ...row.dims,
        ...Object.fromEntries(metrics),
      },
    };
  });
}
