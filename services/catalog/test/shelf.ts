import type { DataOf } from "@tributary/contracts/event";
import { SellerProductReported } from "@tributary/contracts/events/attribution";
import { asCents } from "@tributary/contracts/money";
import { type App, given } from "@tributary/runtime/testing/harness";
import { catalog } from "../src/main.ts";

type Report = DataOf<typeof SellerProductReported>;

/** What the retailer says of a mug. */
export const mug: Report = {
  brand_id: "b1",
  product_id: "mug",
  asin: "B0MUG",
  sku: "MUG-1",
  title: "Mug",
  category: "Kitchen",
  subcategory: null,
  group: null,
  availability: "IN_STOCK",
  best_seller_rank: 12,
  eligibility_status: "ELIGIBLE",
  ineligibility_codes: [],
  image_url: "https://images.example/mug.jpg",
  large_image_url: null,
  price: asCents(1999n),
  price_currency: "USD",
  variations_list: [],
};

/** Reports as attribution tells them: one stream per product. */
export const report = (app: App, ...changes: Partial<Report>[]): Promise<void> =>
  Promise.all(
    changes.map((change) => {
      const said = { ...mug, ...change };
      return app.hear(`seller-product/${said.product_id}`, SellerProductReported(said));
    }),
  ).then(() => app.settled());

/** A catalog on 10 January at noon that has heard of the mug. */
export async function withMug(): Promise<App> {
  const app = await given(catalog, { now: "2026-01-10T20:00:00Z" });
  await report(app, {});
  return app;
}

/** What catalog decided, without the days that began. */
export const decided = async (app: App) => (await app.events()).filter(({ type }) => type !== "DayBegan");
