import { z } from "zod";
import { day } from "../dates.ts";
import { listing } from "../listing.ts";
import { usd } from "../money.ts";

/** GET /api/amazon/auth-url: where the browser goes to ask for the seller's consent. */
export const AuthUrl = z.object({ url: z.string() });

/** POST /api/amazon/callback: what the retailer handed to /signup/loading. */
export const AmazonCallback = z.object({ code: z.string().min(1), state: z.string().min(1) });

/** PATCH /api/brands/{id}/connect. `true` counts only as far as the retailer still knows us; `false` disconnects. */
export const ConnectBrand = z.object({ id: z.string(), connected: z.boolean() });

/** A profile of the seller's account, with the days its reports were pulled for. */
export const SellerProfile = z.object({
  profile_id: z.string(),
  merchant_token: z.string(),
  country_code: z.string(),
  marketplace_id: z.string(),
  name: z.string(),
  type: z.string(),
  subtype: z.string().nullable(),
  last_sync_attrib_perf_min_date: day.nullable(),
  last_sync_attrib_perf_max_date: day.nullable(),
  last_sync_attrib_prod_min_date: day.nullable(),
  last_sync_attrib_prod_max_date: day.nullable(),
});
export type SellerProfile = z.infer<typeof SellerProfile>;

/** GET /internal/seller/{brand_id} and PATCH /api/brands/{id}/connect: the brand as far as the retailer is concerned. */
export const SellerConnection = z.object({
  id: z.string(),
  amazon_connected: z.boolean(),
  /** The profile whose reports count; null until an eligible one was found. */
  profile_id: z.string().nullable(),
  disconnected_because: z.enum(["revoked", "expired", "by_brand", "no_us_profile"]).nullable(),
  profiles: z.array(SellerProfile),
});
export type SellerConnection = z.infer<typeof SellerConnection>;

/** GET /api/amazon/get-advertisers. */
export const Advertisers = z.object({
  advertisers: z.array(z.object({ advertiser_id: z.string(), name: z.string() })),
});

/** The attribution tag routes: one entry per advertiser and publisher, placeholders as the retailer gave them. */
export const AttributionTags = z.object({
  tags: z.array(
    z.object({
      brand_id: z.string(),
      advertiser_id: z.string(),
      publisher_id: z.string(),
      is_macro: z.boolean(),
      aa_tag: z.string(),
    }),
  ),
});

/** One entry of GET /api/amazon/get-products, as the retailer describes the product. */
export const ProductMetadata = z
  .object({ product_id: z.string(), ...listing })
  .omit({ subcategory: true, group: true });
export type ProductMetadata = z.infer<typeof ProductMetadata>;

/** POST /api/amazon/search-brand-logo. */
export const BrandLogo = z.object({ imageUrl: z.string().nullable() });

/** The refresh routes: ISO dates or instants; instants count as the marketplace's day they lie in. */
export const RefreshReports = z.object({ startDate: z.string(), endDate: z.string() });

/** What a refresh did, per brand; `skipped` says why a brand was not asked. */
export const Refreshed = z.object({
  brands: z.array(
    z.object({
      brand_id: z.string(),
      skipped: z.enum(["not_connected", "no_links", "recent"]).nullable(),
      from: day,
      through: day,
      rows: z.int(),
      changed: z.int(),
    }),
  ),
});
export type Refreshed = z.infer<typeof Refreshed>;

/** POST /api/links. The brand follows from the product; naming it too only checks it. */
export const NewLink = z.object({
  product_id: z.string(),
  brand_id: z.string().optional(),
  link_name: z.string().trim().min(1).max(255).optional(),
});

/** PATCH /api/links/{linkId}. */
export const ChangedLink = z.object({
  linkId: z.string(),
  link_name: z.string().trim().min(1).max(255).optional(),
  is_archived: z.boolean().optional(),
});

/** What the retailer has shown of a link in all days together. */
export const LinkTotals = z.object({
  click_throughs: z.int(),
  detail_page_views_14d: z.int(),
  add_to_cart_14d: z.int(),
  purchases_14d: z.int(),
  units_sold_14d: z.int(),
  attributed_sales_14d: usd,
  total_attributed_sales_14d: usd,
});
export type LinkTotals = z.infer<typeof LinkTotals>;

/** A link as its creator and its brand see it; `short_path` is what is shared. */
export const Link = z.object({
  link_id: z.string(),
  link_name: z.string(),
  brand_id: z.string(),
  creator_id: z.string(),
  partnership_id: z.string(),
  product_id: z.string(),
  creator_product_id: z.string(),
  asin: z.string(),
  url: z.string(),
  /** Where the redirect stands, on our own address. */
  short_path: z.string(),
  is_archived: z.boolean(),
  /** True until the retailer shows figures: it tells nothing of links with fewer than 10 clicks. */
  masked: z.boolean(),
  created_at: z.string(),
  totals: LinkTotals,
});
export type Link = z.infer<typeof Link>;

/** GET /api/links. */
export const Links = z.object({ items: z.array(Link), next: z.string().nullable() });

/** The latest revision of one day of a link. */
export const LinkDay = LinkTotals.extend({
  metric_id: z.string(),
  link_id: z.string(),
  date: day,
  revision: z.int(),
  masked: z.boolean(),
  brb_bonus_amount: usd.nullable(),
});
export type LinkDay = z.infer<typeof LinkDay>;

/** GET /api/links/{linkId}/metrics, newest day first. */
export const LinkDays = z.object({ items: z.array(LinkDay), next: z.string().nullable() });

/** GET /api/sync/status, one entry per brand the caller has to do with. */
export const SyncStatus = z.object({
  brands: z.array(
    z.object({
      brand_id: z.string(),
      amazon_connected: z.boolean(),
      /** The last report read to its end, whoever asked for it. */
      last_pull_at: z.string().nullable(),
      last_pull_rows: z.int(),
      last_pull_changed: z.int(),
      /** The last daily pull: everything up to this day is recorded. */
      complete_through: day.nullable(),
      outcome: z.enum(["complete", "no_links", "disconnected"]).nullable(),
      /** When the next daily pull is due. */
      next_pull_at: z.string(),
    }),
  ),
});
export type SyncStatus = z.infer<typeof SyncStatus>;
