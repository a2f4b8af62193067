import { SellerProductReported } from "@tributary/contracts/events/attribution";
import { ProductMetadata } from "@tributary/contracts/http/attribution";
import { productId } from "@tributary/contracts/ids";
import type { Acting } from "@tributary/runtime/acting";
import { to } from "@tributary/runtime/decision";
import { route } from "@tributary/runtime/route";
import { z } from "zod";
import { amazon } from "../amazon/amazon.ts";
import type { ListedProduct } from "../amazon/product-metadata.ts";
import { accountOf, answering } from "../connection/in-the-brands-name.ts";
import { productHash, type ReportedProduct, sellerProduct } from "../seller-product.ts";

const BATCH = 500;

/** Pulls what the retailer says of the seller's products, records what is news, and answers all of it. */
export const getProducts = route("GET /api/amazon/get-products", {
  access: { as: "brand" },
  handle: async (_, asking) => {
    const account = await accountOf(asking, asking.caller!.brand_id!);
    const listed = await answering(asking, account.brand_id, () => asking.use(amazon).products(account));
    const products = reported(account.brand_id, listed);
    for (let at = 0; at < products.length; at += BATCH)
      await recordNews(asking, products.slice(at, at + BATCH));
    return products.map((product) => z.encode(ProductMetadata, product));
  },
});

/** One per sku, or asin where there is none; of two with the same the first listed counts. */
export function reported(brand_id: string, listed: readonly ListedProduct[]): ReportedProduct[] {
  const byId = new Map<string, ReportedProduct>();
  for (const product of listed) {
    const product_id = productId(brand_id, product.sku ?? product.asin);
    if (!byId.has(product_id))
      byId.set(product_id, { brand_id, product_id, subcategory: null, group: null, ...product });
  }
  return [...byId.values()];
}

async function recordNews(acting: Acting, products: readonly ReportedProduct[]): Promise<void> {
  await acting.act({ known: products.map(({ product_id }) => sellerProduct.at(product_id)) }, ({ known }) =>
    products.flatMap((product, index) =>
      known[index]!.hash === productHash(product)
        ? []
        : [to(sellerProduct.at(product.product_id), SellerProductReported(product))],
    ),
  );
}
