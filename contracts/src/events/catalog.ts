import { z } from "zod";
import { day } from "../dates.ts";
import { eventsOf } from "../event.ts";
import { listing } from "../listing.ts";

const event = eventsOf("catalog");

const listed = {
  product_id: z.string(),
  brand_id: z.string(),
  ...listing,
  /** Version of the retailer's report it was made from: a report heard again is known by it. */
  report_version: z.int().optional(),
};

/** A product appeared; its commission percent (default 20) counts as in force on every day before the first change. */
export const ProductListed = event(
  "ProductListed",
  z.object({ ...listed, commission_percent: z.int(), listed_on: day }),
);

/** What the retailer says of the product now, whole. */
export const ProductChanged = event("ProductChanged", z.object(listed));

/** The retailer no longer lists it; links to it keep working and earning. */
export const ProductDelisted = event(
  "ProductDelisted",
  z.object({ product_id: z.string(), brand_id: z.string() }),
);

export const ProductFavorited = event(
  "ProductFavorited",
  z.object({ product_id: z.string(), brand_id: z.string(), favorite: z.boolean() }),
);

/**
 * The brand set another percent for all creators. Versions that were to begin after `requested_on` are cancelled; this one is
 * in force from `effective_from` (a raise from the next day, a cut 14 days later).
 */
export const ProductCommissionChanged = event(
  "ProductCommissionChanged",
  z.object({
    product_id: z.string(),
    brand_id: z.string(),
    percent: z.int(),
    effective_from: day,
    requested_on: day,
    set_by: z.string(),
  }),
);

/** The brand asked for the percent already in force: what was to begin after `requested_on` is cancelled, nothing else changes. */
export const ProductCommissionChangeCancelled = event(
  "ProductCommissionChangeCancelled",
  z.object({ product_id: z.string(), brand_id: z.string(), requested_on: day, set_by: z.string() }),
);
