import { productId } from "@tributary/contracts/ids";
import { expect, test } from "vitest";
import { largeImage } from "../src/amazon/product-metadata.ts";
import { said } from "./support/report.ts";
import { beside, brand, connect } from "./support/story.ts";

const mug = {
  asin: "B00MUG0001",
  sku: "MUG",
  title: "Mug",
  imageUrl: "https://m.media-amazon.com/images/I/71abc._SS60_.jpg",
  category: "Kitchen",
  bestSellerRank: "1,204",
  availability: "IN_STOCK",
  eligibilityStatus: "ELIGIBLE",
  priceToPay: { amount: 19.99, currency: "USD" },
};

test("products are pulled, recorded once, and recorded again only when the retailer says something else", async () => {
  const { app, amazon } = await beside();
  await connect(app, amazon);
  amazon.inventory = [mug, { asin: "B00CUP0001" }, { title: "without an asin" }];
  const pull = () => app.as(brand).get("/api/amazon/get-products");

  expect((await pull()).body).toMatchObject([
    {
      product_id: productId("b1", "MUG"),
      asin: "B00MUG0001",
      price: "19.99",
      best_seller_rank: 1204,
      large_image_url: "https://m.media-amazon.com/images/I/71abc.jpg",
    },
    {
      product_id: productId("b1", "B00CUP0001"),
      sku: null,
      title: "B00CUP0001",
      price: null,
      availability: "UNKNOWN",
    },
  ]);
  await pull();
  expect(await said(app, "SellerProductReported")).toHaveLength(2);

  amazon.inventory = [{ ...mug, availability: "OUT_OF_STOCK" }, { asin: "B00CUP0001" }];
  await pull();
  expect((await said(app, "SellerProductReported")).map(({ availability }) => availability)).toContain(
    "OUT_OF_STOCK",
  );
  expect(await said(app, "SellerProductReported")).toHaveLength(3);
  expect(amazon.asked("/product/metadata")[0]!.headers.get("content-type")).toBe(
    "application/vnd.productmetadatarequest.v1+json",
  );
});

test("a large inventory is read page by page, to its end", async () => {
  const { app, amazon } = await beside();
  await connect(app, amazon);
  amazon.inventory = [...Array(650).keys()].map((n) => ({ asin: `B${n}`, sku: `S${n}` }));
  expect((await app.as(brand).get("/api/amazon/get-products")).body).toHaveLength(650);
  expect(await said(app, "SellerProductReported")).toHaveLength(650);
  expect(amazon.asked("/product/metadata").map(({ body }) => JSON.parse(body).pageIndex)).toEqual([0, 1, 2]);
});

test("a brand's logo is looked for among its products' pictures, the best sold first; there may be none", async () => {
  const { app, amazon } = await beside();
  await connect(app, amazon);
  const search = async () => (await app.as(brand).post("/api/amazon/search-brand-logo", {})).body;
  expect(await search()).toEqual({ imageUrl: null });

  amazon.inventory = [
    { asin: "B1", bestSellerRank: "5" },
    { asin: "B2", bestSellerRank: "900", imageUrl: "https://m.media-amazon.com/images/I/2._SS60_.jpg" },
    { asin: "B3", bestSellerRank: "40", imageUrl: "https://m.media-amazon.com/images/I/3.jpg" },
  ];
  await app.as(brand).get("/api/amazon/get-products");
  expect(await search()).toEqual({ imageUrl: "https://m.media-amazon.com/images/I/3.jpg" });
});

test("a thumbnail's size modifier goes, any other address stays as it is", () => {
  expect(largeImage("https://x/I/71a._AC_SS60_.jpg")).toBe("https://x/I/71a.jpg");
  expect(largeImage("https://x/I/71a.jpg")).toBe("https://x/I/71a.jpg");
  expect(largeImage(null)).toBeNull();
});
