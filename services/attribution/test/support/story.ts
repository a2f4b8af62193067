import { asDay } from "@tributary/contracts/dates";
import { ProductListed } from "@tributary/contracts/events/catalog";
import { CreatorProductGranted, PartnershipActivated } from "@tributary/contracts/events/program";
import { type App, as, given } from "@tributary/runtime/testing/harness";
import { attribution } from "../../src/main.ts";
import { env, FakeAmazon } from "./fake-amazon.ts";

export const brand = as.brand("b1");
export const creator = as.creator("c1");

/** Attribution beside a fake retailer. */
export async function beside(more: Record<string, string> = {}): Promise<{ app: App; amazon: FakeAmazon }> {
  const amazon = new FakeAmazon();
  const app = await given(attribution, {
    now: "2026-01-05T18:00:00Z",
    env: { ...env, ...more },
    network: amazon.network,
  });
  return { app, amazon };
}

/** The brand's seller goes to the retailer, agrees, and comes back. */
export async function connect(app: App, amazon: FakeAmazon, caller = brand) {
  const { body } = await app.as(caller).get("/api/amazon/auth-url");
  const answer = await app.as(caller).post("/api/amazon/callback", amazon.agree(body.url));
  await app.settled();
  return answer;
}

const parties = { partnership_id: "p1", creator_id: "c1", brand_id: "b1" };

/** Creator c1 is a partner of brand b1 and may promote its product x1. */
export async function partner(app: App, asin = "B00MUG0001"): Promise<void> {
  await app.hear(
    "product/x1",
    ProductListed({
      product_id: "x1",
      brand_id: "b1",
      asin,
      sku: "MUG",
      title: "Mug",
      category: null,
      subcategory: null,
      group: null,
      availability: "IN_STOCK",
      best_seller_rank: null,
      eligibility_status: null,
      ineligibility_codes: [],
      image_url: null,
      large_image_url: null,
      price: 1999n as never,
      price_currency: "USD",
      variations_list: [],
      commission_percent: 20,
      listed_on: asDay("2026-01-02"),
    }),
  );
  await app.hear(
    "partnership/p1",
    PartnershipActivated({
      ...parties,
      started_on: asDay("2026-01-03"),
      source_program_id: "prog1",
      commission_base: "total",
      referrer_creator_id: null,
      referral_percent: null,
    }),
  );
  await app.hear(
    "creator-product/cp1",
    CreatorProductGranted({ creator_product_id: "cp1", ...parties, product_id: "x1", affiliate_fee: 20 }),
  );
  await app.settled();
}
