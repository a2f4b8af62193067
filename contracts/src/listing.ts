import { z } from "zod";
import { usd } from "./money.ts";

/** What the retailer says of one of a seller's products (product specification, section 3: products), as every part tells it. */
export const listing = {
  asin: z.string(),
  /** Absent for vendors; the product is then known by its asin. */
  sku: z.string().nullable(),
  title: z.string(),
  category: z.string().nullable(),
  subcategory: z.string().nullable(),
  group: z.string().nullable(),
  availability: z.string(),
  best_seller_rank: z.int().nullable(),
  eligibility_status: z.string().nullable(),
  ineligibility_codes: z.array(z.string()),
  image_url: z.string().nullable(),
  large_image_url: z.string().nullable(),
  price: usd.nullable(),
  price_currency: z.string(),
  variations_list: z.array(z.string()),
};
