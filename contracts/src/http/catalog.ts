import { z } from "zod";
import { day } from "../dates.ts";
import { FeeVersion, percent } from "../fees.ts";
import { listing } from "../listing.ts";

/** What the retailer says of availability when a product can be bought. */
export const AVAILABLE = ["IN_STOCK", "IN_STOCK_SCARCE"] as const;

/** A commission that was agreed and has not begun yet. */
export const PendingFee = z.object({ percent: z.int(), effective_from: day });
export type PendingFee = z.infer<typeof PendingFee>;

export const Product = z.object({
  id: z.string(),
  brand_id: z.string(),
  ...listing,
  favorite: z.boolean(),
  delisted: z.boolean(),
  /** The percent in force today. */
  commission_perc: z.int(),
  commission_pending: PendingFee.nullable(),
});
export type Product = z.infer<typeof Product>;

/** GET /api/products: a brand's own products. `sort` names a field, `-` before a descending one. */
export const ProductsQuery = z.object({
  q: z.string().optional(),
  availability: z.union([z.string(), z.array(z.string())]).optional(),
  category: z.string().optional(),
  subcategory: z.string().optional(),
  group: z.string().optional(),
  favorite: z.enum(["true", "false"]).optional(),
  sort: z
    .enum(["title", "-title", "asin", "-asin", "price", "-price", "rank", "-rank", "favorite", "listed"])
    .optional(),
  after: z.string().optional(),
  limit: z.coerce.number().int().min(1).max(500).optional(),
});
export const Products = z.object({ items: z.array(Product), next: z.string().nullable() });

/** PATCH /api/products/{id}. */
export const EditProduct = z.object({
  id: z.string(),
  favorite: z.boolean().optional(),
  commission_perc: percent.optional(),
});

/** GET /public/api/products?id=..&id=.. */
export const PublicProductsQuery = z.object({
  id: z
    .union([z.string(), z.array(z.string())])
    .optional()
    .transform((ids) => (ids === undefined ? [] : [ids].flat()))
    .pipe(z.array(z.string()).max(500, "Ask for at most 500 products at once")),
});
export const PublicProduct = Product.pick({
  id: true,
  asin: true,
  title: true,
  price: true,
  commission_perc: true,
  image_url: true,
  large_image_url: true,
});
export type PublicProduct = z.infer<typeof PublicProduct>;

/** One request in the history of a product's commission; `cancelled` when it only took back what was pending. */
export const CommissionRequest = FeeVersion.extend({
  kind: z.enum(["listed", "agreed", "cancelled"]),
  percent: z.int().nullable(),
});
export type CommissionRequest = z.infer<typeof CommissionRequest>;
