import { ProductChanged, ProductListed } from "@tributary/contracts/events/catalog";
import { facts } from "@tributary/runtime/facts";
import { when } from "@tributary/runtime/stream";
import { z } from "zod";

const Product = z.object({ brand_id: z.string(), asin: z.string(), title: z.string() });

/** What a link needs to know of a product; a delisted one keeps its links. */
export const products = facts("products", Product, {
  on: [
    when(ProductListed, (_, { data: { brand_id, asin, title } }) => ({ brand_id, asin, title })),
    when(ProductChanged, (_, { data: { brand_id, asin, title } }) => ({ brand_id, asin, title })),
  ],
  key: ({ data }) => data.product_id,
});
