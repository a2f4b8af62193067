import { type App, given } from "@tributary/runtime/testing/harness";
import { expect, test } from "vitest";
import { attribution } from "../src/main.ts";
import { said } from "./support/report.ts";
import { Sandbox } from "./support/sandbox.ts";
import { brand, creator, partner } from "./support/story.ts";

const MUG = "B0CEDAR001";

async function besideSandbox(): Promise<{ app: App; sandbox: Sandbox }> {
  const now = "2026-01-05T18:00:00.000Z";
  const sandbox = await Sandbox.open(now);
  const app = await given(attribution, { now, env: sandbox.env, network: (url, init) => fetch(url, init) });
  return { app, sandbox };
}

async function connect(app: App, sandbox: Sandbox, account?: string) {
  const { body } = await app.as(brand).get("/api/amazon/auth-url");
  const answer = await app.as(brand).post("/api/amazon/callback", await sandbox.agree(body.url, account));
  await app.settled();
  return answer;
}

test("from the seller's consent to the sale of a link and its return, against the partner sandbox", async () => {
  const { app, sandbox } = await besideSandbox();
  expect(await connect(app, sandbox)).toMatchObject({ status: 200, body: { amazon_connected: true } });

  const products = (await app.as(brand).get("/api/amazon/get-products")).body;
  expect(products).toHaveLength(20);
  expect(products[0]).toMatchObject({ asin: MUG, price: "19.99", availability: "IN_STOCK" });
  expect((await app.as(brand).post("/api/amazon/search-brand-logo", {})).body.imageUrl).toMatch(/^http/);
  expect((await app.as(brand).get("/api/amazon/attribution-tag-macro")).status).toBe(200);

  await partner(app, MUG);
  const made = await app.as(creator).post("/api/links", { product_id: "x1" });
  expect(made.status).toBe(201);
  const { link_id } = made.body;
  const { headers } = await app.as(null).get(`/r/${link_id}`);
  expect(headers.location).toMatch(new RegExp(`^${sandbox.url}/shop/dp/${MUG}\\?maas=`));
  expect((await fetch(String(headers.location))).status).toBe(200);

  const { orders } = await sandbox.control("POST", "shopper", {
    shopper: "sam",
    clicks: [{ url: headers.location, times: 24 }],
    purchases: [
      { asin: MUG, qty: 2 },
      { asin: "B0CEDAR002", qty: 1 },
    ],
  });
  for (const day of [6, 7, 8]) await sandbox.become(app, `2026-01-0${day}T02:00:00.000Z`);
  expect(await said(app, "SyncCompleted")).toHaveLength(3);
  const shown = async () => (await said(app, "PerfMetricIngested")).filter(({ masked }) => !masked);
  expect((await shown()).at(-1)).toMatchObject({
    link_id,
    date: "2026-01-05",
    click_throughs: 25,
    attributed_sales_14d: "39.98",
    total_attributed_sales_14d: "82.48",
  });

  await sandbox.control("POST", "shopper/return", { order: orders[0].id });
  for (let day = 9; day <= 15; day++)
    await sandbox.become(app, `2026-01-${String(day).padStart(2, "0")}T02:00:00.000Z`);
  expect((await shown()).at(-1)).toMatchObject({
    attributed_sales_14d: "0.00",
    total_attributed_sales_14d: "42.50",
  });
  expect((await app.as(creator).get(`/api/links/${link_id}`)).body.totals).toMatchObject({
    click_throughs: 25,
    total_attributed_sales_14d: "42.50",
  });
  expect(await app.held()).toEqual([]);
});

test("both dialects of the retailer's answers, an answer lost after it was acted on, and a grant taken back", async () => {
  const { app, sandbox } = await besideSandbox();
  await sandbox.control("PUT", "amazon/dialect", { dialect: "recorded" });
  await connect(app, sandbox);
  const tags = () => app.as(brand).get("/api/amazon/attribution-tag-non-macro");
  const recorded = (await tags()).body;
  await sandbox.control("PUT", "amazon/dialect", { dialect: "openapi" });
  expect((await tags()).body).toEqual(recorded);
  expect(recorded.tags.length).toBeGreaterThan(1);

  await sandbox.control("POST", "faults", {
    partner: "amazon",
    method: "GET",
    path_regex: "advertisers",
    times: 1,
    action: "reset_after",
  });
  expect((await app.as(brand).get("/api/amazon/get-advertisers")).body.advertisers).toHaveLength(1);

  await sandbox.control("POST", "amazon/revoke", { account: "ok" });
  await sandbox.become(app, "2026-01-06T02:00:00.000Z");
  expect(await said(app, "SyncCompleted")).toMatchObject([{ outcome: "no_links" }]);
  expect(await app.as(brand).get("/api/amazon/get-products")).toMatchObject({ status: 409 });
  expect(await said(app, "SellerDisconnected")).toEqual([{ brand_id: "b1", reason: "revoked" }]);
});

test("an account without a US profile of a seller is turned away", async () => {
  const { app, sandbox } = await besideSandbox();
  expect(await connect(app, sandbox, "no_us_profile")).toMatchObject({
    status: 422,
    body: { message: "No eligible US seller profiles found" },
  });
});
