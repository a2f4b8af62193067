import type { Payout } from "../driver/join-creator.ts";
import type { Draws } from "./draws.ts";

/** A product of a brand in the story. `percent` is what its brand sets before the run begins. */
export interface Goods {
  readonly asin: string;
  readonly sku: string;
  readonly title: string;
  /** Decimal text in dollars. */
  readonly price: string;
  readonly percent: number;
}

/** A brand in the story; `key` names it in the totals and is its Amazon account. */
export interface BrandRole {
  readonly key: string;
  readonly name: string;
  readonly category: string;
  readonly auto_accept: boolean;
  readonly goods: readonly Goods[];
}

/** A creator in the story; `payout` is what they choose when they join. */
export interface CreatorRole {
  readonly key: string;
  readonly name: string;
  readonly channel: string;
  readonly total_reach: number;
  readonly payout: Payout;
}

/** Who plays. */
export interface Cast {
  readonly brands: readonly BrandRole[];
  readonly creators: readonly CreatorRole[];
}

/** The smallest cast that can play the story: an auto-accepting and an asking brand, a referrer, who they refer, and a small one. */
export const SMALLEST = { brands: 2, creators: 3 };

const BRANDS: readonly [name: string, category: string, goods: readonly string[]][] = [
  ["Harbor Stone", "Home & Kitchen", ["Stoneware Mug", "Linen Apron", "Cast Iron Skillet"]],
  ["Northfold", "Sports & Outdoors", ["Steel Bottle", "Yoga Mat", "Trail Rain Jacket"]],
  ["Fern & Fog", "Beauty & Personal Care", ["Shampoo Bar", "Vitamin C Serum", "Body Butter"]],
  ["Little Orbit", "Toys & Games", ["Card Game", "Rainbow Stacker", "Star Projector"]],
  ["Papertrail", "Office Products", ["Dotted Notebook", "Desk Organizer", "Brass Pen"]],
  ["Good Paws", "Pet Supplies", ["Salmon Treats", "Rope Leash", "Dog Bed"]],
];
const CREATORS = [
  "Ana",
  "Bo",
  "Carla",
  "Dev",
  "Elif",
  "Finn",
  "Grace",
  "Hugo",
  "Ines",
  "Jun",
  "Kofi",
  "Lena",
];
const CHANNELS = ["YouTube", "Instagram", "TikTok", "Blog/Website"];
const REACHES = [10_000, 50_000, 100_000, 500_000];
/** The first is paid by Stripe and the second by PayPal whatever the size; the fifth says nothing until February. */
const PAYOUTS: readonly Payout[] = ["stripe", "paypal", "stripe", "venmo", "none", "paypal"];

const slug = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]+/g, "-");
const numbered = (names: readonly string[], index: number): string => {
  const round = Math.floor(index / names.length);
  return round === 0 ? names[index]! : `${names[index % names.length]} ${round + 1}`;
};
const dollars = (cents: number): string =>
  `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, "0")}`;

/** Who plays for a seed and a size; the names are always the same, prices and percents are drawn. */
export function castOf(draws: Draws, size: { brands: number; creators: number }): Cast {
  const brands = Array.from({ length: size.brands }, (_, index): BrandRole => {
    const [, category, titles] = BRANDS[index % BRANDS.length]!;
    const name = numbered(
      BRANDS.map(([known]) => known),
      index,
    );
    const chances = draws.of(`brand ${index}`);
    return {
      key: slug(name),
      name,
      category,
      auto_accept: index % 2 === 0,
      goods: titles.map((title, at) => ({
        asin: `B0DM${String(index).padStart(2, "0")}${String(at).padStart(4, "0")}`,
        sku: `${slug(name)}-${at + 1}`,
        title,
        // The first is cheap enough for one sale to stay below the smallest payout.
        price: dollars(at === 0 ? chances.between(2201, 2999) : chances.between(1995, 8999)),
        percent: at === 0 ? chances.between(13, 18) : chances.between(10, 25),
      })),
    };
  });
  const creators = Array.from({ length: size.creators }, (_, index): CreatorRole => {
    const name = numbered(CREATORS, index);
    return {
      key: slug(name),
      name,
      channel: CHANNELS[index % CHANNELS.length]!,
      total_reach: REACHES[index % REACHES.length]!,
      payout: PAYOUTS[index % PAYOUTS.length]!,
    };
  });
  return { brands, creators };
}
