import { expect } from "vitest";
import { followLink } from "../../src/driver/follow-link.ts";
import { choosePayout, joinCreator } from "../../src/driver/join-creator.ts";
import { addCard, openBrand, openProgram } from "../../src/driver/open-brand.ts";
import { Partners } from "../../src/driver/partners.ts";
import { Person } from "../../src/driver/person.ts";

/** Where a system answers, whichever form it runs in. */
export interface System {
  readonly url: string;
  readonly sandboxUrl: string;
}

/** When the journey begins: the sandbox's clock has to stand here. */
export const BEGINS = "2025-12-20T17:00:00Z";

interface Explained {
  readonly kind: string;
  readonly residual: string;
  readonly inner: readonly Explained[];
}

const everyNode = (node: Explained): Explained[] => [node, ...node.inner.flatMap(everyNode)];

/**
 * A brand signs up and connects Amazon, a creator joins and shares a link, shoppers buy, the report is pulled, the month closes, the
 * card is charged, the creator is paid by PayPal, and every cent of it is explained down to the report.
 */
export async function roadOfOneSale({ url, sandboxUrl }: System): Promise<void> {
  const partners = new Partners(sandboxUrl);
  await partners.seed([
    {
      key: "journey",
      name: "Journey Goods",
      products: [
        { asin: "B0JOURNEY1", sku: "J-1", title: "Travel mug", price: "40.00", category: "Home & Kitchen" },
      ],
    },
  ]);
  const brand = new Person(url, "journey-brand@example.com", "secret-1");
  const { id: brand_id, products } = await openBrand(brand, {
    brand_name: "Journey Goods",
    website: "https://journey.example",
    product_category: "Home & Kitchen",
    amazon_account: "journey",
  });
  await addCard(brand, "pm_card_visa");
  const product_id = products.get("B0JOURNEY1")!;
  const program_id = await openProgram(brand, brand_id, {
    title: "Journey Goods Affiliate Program",
    description: "<p>Mugs for the road</p>",
    auto_accept_applications: true,
    product_ids: [product_id],
  });

  const ana = new Person(url, "journey-ana@example.com", "secret-2");
  const creator_id = await joinCreator(ana, {
    name: "Ana",
    product_categories: ["Home & Kitchen"],
    channels: [{ channel: "YouTube", channel_link: "https://youtube.example/ana" }],
    total_reach: 100_000,
    from_brand: brand_id,
  });
  await choosePayout(ana, "paypal", "journey-ana");
  const partnership = await ana.post("/api/creator-brand-partnerships", {
    creator_id,
    brand_id,
    status: "active",
    started_by: "creator",
    source_program_id: program_id,
    referral_code: null,
  });
  expect(partnership).toMatchObject({ status: "active" });
  const { link_id } = await ana.post<{ link_id: string }>("/api/links", { product_id, link_name: "My mug" });

  for (let shopper = 0; shopper < 12; shopper++) await followLink(url, `/r/${link_id}`, `shopper-${shopper}`);
  await partners.buy("shopper-3", [{ asin: "B0JOURNEY1", qty: 3 }]);
  await partners.moveTo("2026-01-05T17:00:00Z");

  const { items: payouts } = await ana.get<{
    items: { payout_id: string; status: string; amount: string }[];
  }>("/api/earnings/payouts");
  expect(payouts).toMatchObject([{ status: "succeeded", amount: "24.00" }]);
  const explained = await ana.get<Explained>(`/api/explain/payout/${payouts[0]!.payout_id}`);
  const nodes = everyNode(explained);
  expect(nodes.map(({ residual }) => residual)).toEqual(nodes.map(() => "0.0000"));
  expect(new Set(nodes.map(({ kind }) => kind))).toEqual(
    new Set(["payout", "charge", "statement", "earning", "metric"]),
  );
}
