import { addDays, type Day, daysBetween, instantOf } from "@tributary/contracts/dates";
import { asCents, asE4, type E4, parseCents } from "@tributary/contracts/money";
import type { AmazonAttribution } from "../driver/partners.ts";
import type { LinkRole } from "./acts.ts";
import type { BrandRole, CreatorRole, Goods } from "./cast.ts";
import type { Story } from "./story.ts";

const HOUR_MS = 3_600_000;
const CLICKS_SHOWN_AFTER_MS = 24 * HOUR_MS;
const SALES_SHOWN_AFTER_MS = 48 * HOUR_MS;
/** Below so many clicks the retailer shows nothing of a link. */
const SHOWN_FROM_CLICKS = 10;
/** The day's last look at the reports. */
const EVENING = "18:00";
/** How long a cut is announced before it is in force, in days; a raise is from the next day. */
const NOTICE_DAYS = 14;

/** The percent that the story's brands have agreed for a product on a day. */
export function percentOn(story: Story, brand: BrandRole, goods: Goods, date: Day): number {
  let percent = goods.percent;
  for (let day = story.first; day <= date; day = addDays(day, 1))
    for (const act of story.on(day)) {
      if (act.do !== "fee" || act.brand !== brand || act.goods !== goods) continue;
      const notice = act.percent > percent ? 1 : NOTICE_DAYS;
      if (daysBetween(day, date) >= notice) percent = act.percent;
    }
  return percent;
}

/** What a brand owes a creator for sales. */
export interface Owed {
  readonly brand: BrandRole;
  readonly creator: CreatorRole;
  readonly amount: E4;
}

/** Who gets something of a link's sales at a percent: its creator, and who referred them to this brand. */
function* shares(
  story: Story,
  { creator, brand, goods }: LinkRole,
  date: Day,
): Generator<[CreatorRole, number]> {
  yield [creator, percentOn(story, brand, goods, date)];
  let referral = 0;
  for (let day = story.first; day <= story.last; day = addDays(day, 1))
    for (const act of story.on(day)) {
      if (act.do === "refer" && act.brand === brand) referral = act.percent;
      if (act.do === "apply" && act.brand === brand && act.creator === creator && act.referrer)
        yield [act.referrer, referral];
    }
}

/**
 * What each brand owes each creator for all that the retailer had shown by the last evening, reckoned a second time: from the
 * retailer's own sales and from what the story says was agreed. `linkOf` gives the story's link for the retailer's ad group.
 */
export function owedFor(
  story: Story,
  { clicks, orders, conversions }: AmazonAttribution,
  linkOf: (adgroup_id: string) => LinkRole,
): Owed[] {
  const evening = Date.parse(instantOf(story.last, EVENING));
  const lifetime = new Map<string, number>();
  for (const { at, adgroup_id } of clicks)
    if (Date.parse(at) + CLICKS_SHOWN_AFTER_MS <= evening)
      lifetime.set(adgroup_id, (lifetime.get(adgroup_id) ?? 0) + 1);
  const orderOf = new Map(orders.map((order) => [order.id, order]));
  const owed = new Map<string, Owed>();
  for (const { order, adgroup_id, date, restated_at } of conversions) {
    const { at, qty, price } = orderOf.get(order)!;
    const gone = restated_at !== null && Date.parse(restated_at) <= evening;
    const shown = Date.parse(at) + SALES_SHOWN_AFTER_MS <= evening;
    if (gone || !shown || (lifetime.get(adgroup_id) ?? 0) < SHOWN_FROM_CLICKS) continue;
    const sales = asCents(parseCents(price)! * BigInt(qty));
    const link = linkOf(adgroup_id);
    for (const [creator, percent] of shares(story, link, date as Day)) {
      const { brand } = link;
      const pair = `${brand.key} ${creator.key}`;
      const amount = asE4((owed.get(pair)?.amount ?? 0n) + sales * BigInt(percent));
      owed.set(pair, { brand, creator, amount });
    }
  }
  return [...owed.values()];
}
