import { asDay, dayAt } from "@tributary/contracts/dates";
import { ProductCommissionChanged, ProductListed } from "@tributary/contracts/events/catalog";
import { DayBegan } from "@tributary/contracts/events/day";
import { BrandRegistered, CreatorRegistered } from "@tributary/contracts/events/identity";
import { firstProgramId, partnershipId } from "@tributary/contracts/ids";
import { asCents } from "@tributary/contracts/money";
import { type App, as, given } from "@tributary/runtime/testing/harness";
import { program } from "../src/main.ts";

export const brand = as.brand("b1");
export const ana = as.creator("ana");
export const programId = firstProgramId("b1");
export const pairOf = (creator_id: string) => partnershipId(creator_id, "b1");

export const listing = (product_id: string, brand_id: string, commission_percent: number) =>
  ProductListed({
    product_id,
    brand_id,
    asin: `B0${product_id}`,
    sku: product_id,
    title: product_id,
    category: null,
    subcategory: null,
    group: null,
    availability: "IN_STOCK",
    best_seller_rank: null,
    eligibility_status: null,
    ineligibility_codes: [],
    image_url: null,
    large_image_url: null,
    price: asCents(1999n),
    price_currency: "USD",
    variations_list: [],
    commission_percent,
    listed_on: asDay("2026-01-01"),
  });

/** Catalog says that a day began in all of its partitions. */
export async function catalogBegins(app: App, date: string): Promise<void> {
  for (let salt = 0; salt < 200; salt++) {
    await app.hear(`day/${salt}`, DayBegan.catalog({ date: asDay(date) }));
  }
  await app.settled();
}

/** Another percent for all creators, as catalog decided it. */
export const percentSet = async (
  app: App,
  product_id: string,
  percent: number,
  requested: string,
  from: string,
) => {
  await app.hear(
    `product/${product_id}`,
    ProductCommissionChanged({
      product_id,
      brand_id: "b1",
      percent,
      requested_on: asDay(requested),
      effective_from: asDay(from),
      set_by: "user-b1",
    }),
  );
  await app.settled();
};

export const creatorHeard = (app: App, creator_id: string, approved = true, from: string | null = null) =>
  app.hear(
    `creator/${creator_id}`,
    CreatorRegistered({
      creator_id,
      user_id: `user-${creator_id}`,
      name: creator_id,
      product_categories: ["Baby"],
      approved,
      from_program_brand_id: from,
    }),
  );

export const details = {
  brand_id: "b1",
  title: "Acme",
  description: "<p>US-based, please</p>",
  is_visible: true,
  auto_accept_applications: false,
};

/** Acme on 10 January at noon: its three products and a stranger's known, creators heard of, no program yet. */
export async function acme(now = "2026-01-10T20:00:00Z"): Promise<App> {
  const app = await given(program, { now });
  await app.hear(
    "brand/b1",
    BrandRegistered({
      brand_id: "b1",
      user_id: "user-b1",
      brand_name: "Acme",
      website: "https://acme.example",
      product_category: "Baby",
    }),
  );
  await app.hear("product/mug", listing("mug", "b1", 20));
  await app.hear("product/pan", listing("pan", "b1", 15));
  await app.hear("product/pot", listing("pot", "b1", 10));
  await app.hear("product/foreign", listing("foreign", "b2", 20));
  for (const name of ["ana", "bo", "cy"]) await creatorHeard(app, name);
  await catalogBegins(app, dayAt(now));
  return app;
}

/** Acme with its program and the mug in it. */
export async function open(
  changes: Partial<typeof details & { commission_base: string }> = {},
): Promise<App> {
  const app = await acme();
  await app.as(brand).post("/api/affiliate-programs", { ...details, ...changes });
  await app.as(brand).put(`/api/affiliate-programs/${programId}/products`, { productIds: ["mug"] });
  return app;
}

export const apply = (app: App, creator_id: string, more: object = {}) =>
  app.as(as.creator(creator_id)).post("/api/creator-brand-partnerships", {
    creator_id,
    brand_id: "b1",
    source_program_id: programId,
    status: "active",
    started_by: "creator",
    ...more,
  });

/** What program decided since, without the days that began. */
export const decided = async (app: App, ...types: string[]) =>
  (await app.events()).filter(({ type }) => (types.length > 0 ? types.includes(type) : type !== "DayBegan"));
