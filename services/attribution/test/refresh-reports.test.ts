import { asDay } from "@tributary/contracts/dates";
import { expect, test } from "vitest";
import { link } from "../src/link.ts";
import { spanOf } from "../src/routes/refresh-reports.ts";
import { nextPull } from "../src/routes/sync-status.ts";
import { linkCreated } from "./support/links.ts";
import { evening, row, said } from "./support/report.ts";
import { beside, brand, connect, creator, partner } from "./support/story.ts";

const L1 = "aB3dE5gH7j";
const asked = { startDate: "2026-01-01T08:00:00.000Z", endDate: "2026-01-05T17:00:00.000Z" };

async function withLink() {
  const { app, amazon } = await beside();
  await connect(app, amazon);
  await partner(app);
  await app.happened(link.at(L1), linkCreated(L1));
  await app.settled();
  amazon.pages = { "": { reports: [row(L1, "2026-01-04", 20, "10.00")] } };
  return { app, amazon };
}

test("a brand sees the latest figures when it asks, and the daily word still comes in the evening only", async () => {
  const { app, amazon } = await withLink();
  expect(await app.as(brand).post("/api/amazon/refresh-attribution-performance", asked)).toMatchObject({
    status: 200,
    body: {
      brands: [
        { brand_id: "b1", skipped: null, from: "2026-01-01", through: "2026-01-05", rows: 1, changed: 1 },
      ],
    },
  });
  expect(JSON.parse(amazon.asked("/attribution/report")[0]!.body)).toMatchObject({ startDate: "20260101" });
  expect(await said(app, "PerfMetricIngested")).toHaveLength(1);
  expect(await said(app, "SyncCompleted")).toEqual([]);
});

test("products behind the sales are recorded as explanation, the linked one told from its halo", async () => {
  const { app, amazon } = await withLink();
  const product = {
    date: "20260104",
    adGroupId: L1,
    productAsin: "B00MUG0001",
    productConversionType: "Promoted",
  };
  amazon.pages = {
    "": {
      reports: [
        { ...product, unitsSold14d: "2", attributedSales14d: "39.98" },
        {
          ...product,
          productAsin: "B00CUP0001",
          productConversionType: "Brand Halo",
          brandHaloUnitsSold14d: "1",
          brandHaloAttributedSales14d: "5.00",
        },
      ],
    },
  };
  const pull = () => app.as(brand).post("/api/amazon/refresh-attribution-products", asked);
  expect((await pull()).body.brands).toMatchObject([{ rows: 2, changed: 2 }]);
  expect((await pull()).body.brands).toMatchObject([{ rows: 2, changed: 0 }]);

  const rows = await said(app, "ProdMetricIngested");
  expect(rows).toHaveLength(2);
  expect(rows).toContainEqual(
    expect.objectContaining({
      product_id: "x1",
      units_sold_14d: 2,
      attributed_sales_14d: "39.98",
      revision: 1,
    }),
  );
  expect(rows).toContainEqual(
    expect.objectContaining({ product_id: null, product_asin: "B00CUP0001", attributed_sales_14d: "5.00" }),
  );
  const body = JSON.parse(amazon.asked("/attribution/report")[0]!.body);
  expect(body).not.toHaveProperty("groupBy");
  expect(body.reportType).toBe("PRODUCTS");
});

test("a creator's question reaches every brand they work with, once an hour", async () => {
  const { app } = await withLink();
  const ask = () => app.as(creator).post("/api/amazon/creator/refresh-attribution-performance", asked);
  expect((await ask()).body.brands).toMatchObject([{ brand_id: "b1", skipped: null, changed: 1 }]);
  expect((await ask()).body.brands).toMatchObject([{ brand_id: "b1", skipped: "recent" }]);
});

test("a creator's tags come from the brands that can be reached", async () => {
  const { app, amazon } = await beside();
  await partner(app);
  const tags = () => app.as(creator).get("/api/amazon/creator/attribution-tags-non-macro");
  expect((await tags()).body).toEqual({ tags: [] });
  await connect(app, amazon);
  expect((await tags()).body.tags).toMatchObject([{ brand_id: "b1", publisher_id: "9", is_macro: false }]);
});

test("days outside of the retailer's report are cut off, and dates that are none are refused by name", () => {
  const today = asDay("2026-01-05");
  expect(spanOf({ startDate: "2020-01-01", endDate: "2026-02-01" }, today, 90)).toEqual({
    from: "2025-10-08",
    through: "2026-01-05",
  });
  expect(spanOf({ startDate: "2026-01-02T07:59:00Z", endDate: "2026-01-02T08:00:00Z" }, today, 90)).toEqual({
    from: "2026-01-01",
    through: "2026-01-02",
  });
  for (const [startDate, endDate] of [
    ["soon", "2026-01-05"],
    ["2026-01-05", "2026-01-04"],
    ["2020-01-01", "2020-01-02"],
    ["2026-02-01", "2026-02-02"],
  ])
    expect(() => spanOf({ startDate: startDate!, endDate: endDate! }, today, 90)).toThrow();
});

test("the status says how fresh the figures are and when they come next", async () => {
  const { app } = await withLink();
  expect((await app.as(brand).get("/api/sync/status")).body).toEqual({
    brands: [
      {
        brand_id: "b1",
        amazon_connected: true,
        last_pull_at: null,
        last_pull_rows: 0,
        last_pull_changed: 0,
        complete_through: null,
        outcome: null,
        next_pull_at: "2026-01-06T02:00:00.000Z",
      },
    ],
  });
  await evening(app, "2026-01-05");
  expect((await app.as(creator).get("/api/sync/status")).body.brands).toMatchObject([
    {
      last_pull_at: "2026-01-06T02:00:00.000Z",
      last_pull_rows: 1,
      complete_through: "2026-01-05",
      outcome: "complete",
      next_pull_at: "2026-01-07T02:00:00.000Z",
    },
  ]);
  expect((await app.as(brand).get("/internal/seller/b1")).body.profiles).toMatchObject([
    {
      last_sync_attrib_perf_min_date: "2025-12-07",
      last_sync_attrib_perf_max_date: "2026-01-05",
      last_sync_attrib_prod_min_date: null,
    },
  ]);
});

test("the next pull is at six in the evening of the marketplace, also across the change of its clocks", () => {
  expect(nextPull("2026-03-08T01:59:00Z")).toBe("2026-03-08T02:00:00.000Z");
  expect(nextPull("2026-03-08T02:00:00.000Z")).toBe("2026-03-09T01:00:00.000Z");
});
