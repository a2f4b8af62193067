import { addDays, asDay, type Day } from "@tributary/contracts/dates";
import type { Act, LinkRole } from "./acts.ts";
import type { BrandRole, Cast, CreatorRole, Goods } from "./cast.ts";
import type { Draws } from "./draws.ts";
import { Shoppers } from "./shoppers.ts";

/** All that happens, by day, in order. */
export interface Story {
  readonly cast: Cast;
  /** When the brands sign up: long enough before the first day for a cut of the usual percent to be in force on it. */
  readonly prologue: Day;
  readonly first: Day;
  readonly last: Day;
  on(day: Day): readonly Act[];
}

/** The first day of every run. */
export const FIRST_DAY = asDay("2026-01-01");
const PROLOGUE_DAYS = 20;

/** What a partner of a brand gets for referring another, in percent of the sales. */
const REFERRAL_PERCENT = 5;

/**
 * The story of a seed: everything is settled before it begins, so that nothing that the system draws (ids, codes) or how fast it
 * answers can change what happens. What lies behind the last day is left out.
 */
export function storyOf(draws: Draws, cast: Cast, days: number): Story {
  const last = addDays(FIRST_DAY, days - 1);
  const prologue = addDays(FIRST_DAY, -PROLOGUE_DAYS);
  const acts = new Map<Day, Act[]>();
  const on = (day: Day, ...happening: Act[]): void => {
    if (day <= last) acts.set(day, [...(acts.get(day) ?? []), ...happening]);
  };
  const january = (day: number): Day => addDays(FIRST_DAY, day - 1);
  const shoppers = new Shoppers(draws.of("shoppers"), on, last);
  const { brands, creators } = cast;
  const [host, asking] = brands as [BrandRole, BrandRole];
  const [referrer, referred, small, ...others] = creators as [
    CreatorRole,
    CreatorRole,
    CreatorRole,
    ...CreatorRole[],
  ];

  const share = (creator: CreatorRole, brand: BrandRole, goods: Goods, since: Day): LinkRole => {
    const link = { key: `${creator.key}-${goods.sku}`, creator, brand, goods };
    on(since, { do: "link", link });
    return link;
  };
  /** A partnership and its links: at once where the brand auto-accepts, the day after where it looks first. */
  const partner = (
    creator: CreatorRole,
    brand: BrandRole,
    day: Day,
    through: CreatorRole | null = null,
  ): Day => {
    on(day, { do: "apply", creator, brand, referrer: through });
    if (brand.auto_accept) return day;
    on(addDays(day, 1), { do: "accept", creator, brand });
    return addDays(day, 1);
  };
  const promote = (creator: CreatorRole, brand: BrandRole, day: Day, through?: CreatorRole): void => {
    const since = partner(creator, brand, day, through);
    const first = draws.of(`goods of ${creator.key} at ${brand.key}`).between(0, brand.goods.length - 1);
    for (const at of [first, (first + 1) % brand.goods.length])
      shoppers.browse(share(creator, brand, brand.goods[at]!, since), addDays(since, 1));
  };
  const join = (creator: CreatorRole, day: Day, from: BrandRole | null): void => {
    on(day, { do: "join", creator, from });
    if (!from) on(day, { do: "approve", creator });
    if (creator.payout !== "none") on(day, { do: "payout", creator, payout: creator.payout });
  };

  for (const brand of brands) {
    on(prologue, { do: "open", brand });
    for (const goods of brand.goods) on(prologue, { do: "fee", brand, goods, percent: goods.percent });
  }
  for (const creator of [referrer, small, ...others]) join(creator, january(1), null);

  promote(referrer, host, january(1));
  on(january(2), { do: "refer", brand: host, referrer, percent: REFERRAL_PERCENT });
  join(referred, january(3), host);
  promote(referred, host, january(3), referrer);
  promote(referrer, asking, january(5));

  const smallSince = partner(small, asking, january(1));
  const smallLink = share(small, asking, asking.goods[0]!, smallSince);
  shoppers.crowd(smallLink, addDays(smallSince, 1), 12);
  shoppers.sale(smallLink, january(10), 1);
  shoppers.sale(smallLink, january(41), 2);
  shoppers.sale(smallLink, january(43), 2);

  for (const [index, creator] of others.entries()) {
    promote(creator, brands[(index + 2) % brands.length]!, january(1 + (index % 3)));
    if (index % 2 === 0) promote(creator, brands[(index + 3) % brands.length]!, january(8 + index));
    if (creator.payout === "none") on(january(41), { do: "payout", creator, payout: "paypal" });
  }

  const raised = host.goods[1]!;
  on(january(12), { do: "fee", brand: host, goods: raised, percent: raised.percent + 5 });
  const cut = asking.goods[1]!;
  on(january(15), { do: "fee", brand: asking, goods: cut, percent: cut.percent - 5 });

  const regretted = share(referrer, host, spare(host, draws, referrer), january(6));
  shoppers.crowd(regretted, january(7), 10);
  shoppers.regret(regretted, january(20), 4, january(41));
  shoppers.regret(regretted, january(9), 2, january(12));

  return { cast, prologue, first: FIRST_DAY, last, on: (day) => acts.get(day) ?? [] };
}

/** The product of the brand that the creator's two links left over. */
function spare(brand: BrandRole, draws: Draws, creator: CreatorRole): Goods {
  const first = draws.of(`goods of ${creator.key} at ${brand.key}`).between(0, brand.goods.length - 1);
  return brand.goods[(first + 2) % brand.goods.length]!;
}
