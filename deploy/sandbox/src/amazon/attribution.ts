import type { AmazonContext } from "./context.ts";
import { addDays, marketplaceDay, startOfDay } from "./marketplace-day.ts";
import type { AmazonState, Click, Order, Profile, Seller } from "./state.ts";

const HOUR_MS = 3_600_000;
const WINDOW_MS = 14 * 24 * HOUR_MS;
const RESTATED_ON_DAYS = [1, 7, 28];

/** A sale and the click it goes back to. */
export interface Conversion {
  order: Order;
  click: Click;
  date: string;
  promoted: boolean;
}

/** The last of a shopper's clicks on the tags of one profile in the 14 days before a purchase. */
function lastClick(clicks: Click[], order: Order): Click | undefined {
  const at = Date.parse(order.at);
  return clicks.findLast((click) => {
    const before = at - Date.parse(click.at);
    return before >= 0 && before <= WINDOW_MS;
  });
}

/** Every purchase of a seller's products, by any shopper, that goes back to a click on one of the profile's tags. */
export function conversions(state: AmazonState, seller: Seller, profile: Profile): Conversion[] {
  const own = new Set(seller.products.map(({ asin }) => asin));
  const byShopper = new Map<string, Click[]>();
  for (const click of state.clicks.get(profile.advertiser_id) ?? []) {
    const made = byShopper.get(click.shopper);
    if (made) made.push(click);
    else byShopper.set(click.shopper, [click]);
  }
  const found: Conversion[] = [];
  for (const order of state.orders.values()) {
    if (!own.has(order.asin)) continue;
    const click = lastClick(byShopper.get(order.shopper) ?? [], order);
    if (!click) continue;
    found.push({
      order,
      click,
      date: marketplaceDay(new Date(order.at)),
      promoted: click.asin === order.asin,
    });
  }
  return found;
}

/** When a returned sale leaves the report: the start of the next of days 1, 7 and 28 after the sale; never after that. */
export function restatedAt(order: Order): Date | null {
  const { return_at } = order;
  if (return_at === null) return null;
  const sold = marketplaceDay(new Date(order.at));
  const instants = RESTATED_ON_DAYS.map((days) => startOfDay(addDays(sold, days)));
  return instants.find((instant) => instant.getTime() >= Date.parse(return_at)) ?? null;
}

/** What the reports show at this moment: clicks and sales older than their lag, without the returns restated so far. */
export function visible(
  ctx: AmazonContext,
  seller: Seller,
  profile: Profile,
): { clicks: Click[]; conversions: Conversion[] } {
  const { state } = ctx;
  const now = ctx.now().getTime();
  const { click_lag_hours, conversion_lag_hours } = state.settings;
  return {
    clicks: (state.clicks.get(profile.advertiser_id) ?? []).filter(
      ({ at }) => Date.parse(at) + click_lag_hours * HOUR_MS <= now,
    ),
    conversions: conversions(state, seller, profile).filter(({ order }) => {
      const gone = restatedAt(order);
      return (
        Date.parse(order.at) + conversion_lag_hours * HOUR_MS <= now &&
        (gone === null || gone.getTime() > now)
      );
    }),
  };
}
