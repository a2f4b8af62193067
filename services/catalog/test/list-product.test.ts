import { asCents } from "@tributary/contracts/money";
import { expect, test } from "vitest";
import { decided, mug, report, withMug } from "./shelf.ts";

test("a product that the retailer reports is listed at twenty percent", async () => {
  const app = await withMug();
  expect(await decided(app)).toMatchObject([
    {
      type: "ProductListed",
      stream: "product/mug",
      data: {
        product_id: "mug",
        brand_id: "b1",
        commission_percent: 20,
        price: "19.99",
        listed_on: "2026-01-10",
      },
    },
  ]);
});

test("it changes only when the retailer says something else of it", async () => {
  const app = await withMug();
  await report(app, { price: asCents(2100n) });
  await report(app, { price: asCents(2100n) });
  await report(app, { price: asCents(1999n) });
  expect((await decided(app)).map(({ type, data }) => [type, data.price])).toEqual([
    ["ProductListed", "19.99"],
    ["ProductChanged", "21.00"],
    ["ProductChanged", "19.99"],
  ]);
});

test("old reports heard again change nothing, whatever came after them", async () => {
  const app = await withMug();
  await report(app, { availability: "OUT_OF_STOCK" });
  await report(app, { availability: "IN_STOCK", title: "Mug, blue" });
  expect(await app.heardTwiceFromZero()).toEqual({ events: 0, calls: 0, held: [] });
  expect((await decided(app)).at(-1)).toMatchObject({ data: { ...mug, price: "19.99", title: "Mug, blue" } });
});
