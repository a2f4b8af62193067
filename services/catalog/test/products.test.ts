import { asCents } from "@tributary/contracts/money";
import { as } from "@tributary/runtime/testing/harness";
import { expect, test } from "vitest";
import { report, withMug } from "./shelf.ts";

const titles = ({ body }: { body: { items: { title: string }[] } }) => body.items.map(({ title }) => title);

test("a brand lists its own products: favourites first, filtered, sorted by price, page by page", async () => {
  const app = await withMug();
  await report(
    app,
    { product_id: "pan", asin: "B0PAN", title: "Pan", price: asCents(500n), availability: "OUT_OF_STOCK" },
    { product_id: "pot", asin: "B0POT", title: "Pot", price: null, category: "Garden" },
    { product_id: "other", brand_id: "b2", title: "Other" },
  );
  const brand = app.as(as.brand("b1"));
  await brand.patch("/api/products/pot", { favorite: true });
  expect(titles(await brand.get("/api/products"))).toEqual(["Pot", "Mug", "Pan"]);
  expect(titles(await brand.get("/api/products?sort=price"))).toEqual(["Pan", "Mug", "Pot"]);
  expect(titles(await brand.get("/api/products?availability=IN_STOCK&availability=LEADTIME"))).toEqual([
    "Pot",
    "Mug",
  ]);
  expect(titles(await brand.get("/api/products?q=P&favorite=false"))).toEqual(["Pan"]);
  expect(titles(await brand.get("/api/products?category=Garden"))).toEqual(["Pot"]);
  const first = await brand.get("/api/products?limit=2");
  const rest = await brand.get(`/api/products?limit=2&after=${encodeURIComponent(first.body.next)}`);
  expect([...titles(first), ...titles(rest)]).toEqual(["Pot", "Mug", "Pan"]);
  expect(rest.body.next).toBeNull();
  expect(await brand.get("/api/products?sort=secret")).toMatchObject({ status: 400 });
});

test("everybody sees the public face of the products they name, and nothing else of them", async () => {
  const app = await withMug();
  await report(app, { product_id: "pan", asin: "B0PAN", title: "Pan", price: null });
  expect((await app.as(null).get("/public/api/products?id=pan&id=mug&id=none")).body).toEqual([
    {
      id: "pan",
      asin: "B0PAN",
      title: "Pan",
      price: null,
      commission_perc: 20,
      image_url: "https://images.example/mug.jpg",
      large_image_url: null,
    },
    {
      id: "mug",
      asin: "B0MUG",
      title: "Mug",
      price: "19.99",
      commission_perc: 20,
      image_url: "https://images.example/mug.jpg",
      large_image_url: null,
    },
  ]);
  expect((await app.as(null).get("/public/api/products?id=mug")).body).toHaveLength(1);
  expect((await app.as(null).get("/public/api/products")).body).toEqual([]);
});
