import { v5 } from "uuid";
import type { Day, Month } from "./dates.ts";

/** Root of every natural-key id; it never changes, or every id would. */
const NAMESPACE = "6f0d3c52-4f0e-5b0b-9a35-7b1b1a6e2c11";

const natural = (kind: string, ...parts: string[]): string => v5(JSON.stringify([kind, ...parts]), NAMESPACE);

/** One user per account of the identity provider. */
export const userId = (firebase_uid: string): string => natural("user", firebase_uid);
/** One brand per user. */
export const brandId = (user_id: string): string => natural("brand", user_id);
/** One creator per user. */
export const creatorId = (user_id: string): string => natural("creator", user_id);
/** One product per brand and sku; a product without a sku is known by its asin. */
export const productId = (brand_id: string, sku_or_asin: string): string =>
  natural("product", brand_id, sku_or_asin);
/** The program that a brand's first connection opens. */
export const firstProgramId = (brand_id: string): string => natural("program", brand_id);
/** One partnership per creator and brand. */
export const partnershipId = (creator_id: string, brand_id: string): string =>
  natural("partnership", creator_id, brand_id);
/** One grant per partnership and product. */
export const creatorProductId = (partnership_id: string, product_id: string): string =>
  natural("creator-product", partnership_id, product_id);
/** One metric per ad group (= link) and day of the retailer's report. */
export const metricId = (adgroup_id: string, date: Day): string => natural("metric", adgroup_id, date);
/** One earning per metric and earning type. */
export const earningId = (metric_id: string, earning_type: string): string =>
  natural("earning", metric_id, earning_type);
/** One cycle per month. */
export const cycleId = (month: Month): string => natural("cycle", month);
/** One statement per month, brand and creator. */
export const statementId = (month: Month, brand_id: string, creator_id: string): string =>
  natural("statement", month, brand_id, creator_id);
/** One seller connection per brand. */
export const sellerId = (brand_id: string): string => natural("seller", brand_id);
