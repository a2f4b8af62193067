import { z } from "zod";
import { day } from "../dates.ts";
import { eventsOf } from "../event.ts";
import { listing } from "../listing.ts";
import { usd } from "../money.ts";

const event = eventsOf("attribution");

/** Highest sequence per partition of a log, 16 numbers. */
export const Heads = z.array(z.int()).length(16);

const profile = z.object({
  profile_id: z.string(),
  merchant_token: z.string(),
  country_code: z.string(),
  marketplace_id: z.string(),
  name: z.string(),
  type: z.string(),
  subtype: z.string().nullable(),
});

/** The brand granted access and an eligible US seller profile was found. Tokens never stand in an event. */
export const SellerConnected = event(
  "SellerConnected",
  z.object({
    brand_id: z.string(),
    profile_id: z.string(),
    profiles: z.array(profile),
    granted_at: z.string(),
  }),
);

export const SellerDisconnected = event(
  "SellerDisconnected",
  z.object({ brand_id: z.string(), reason: z.enum(["revoked", "expired", "by_brand", "no_us_profile"]) }),
);

/** The profile belongs to this brand's connection; nobody else can connect it until it is released. */
export const ProfileClaimed = event(
  "ProfileClaimed",
  z.object({ profile_id: z.string(), brand_id: z.string() }),
);
/** The connection that held the profile ended; another brand may connect it. */
export const ProfileReleased = event(
  "ProfileReleased",
  z.object({ profile_id: z.string(), brand_id: z.string() }),
);

export const AdvertisersFound = event(
  "AdvertisersFound",
  z.object({
    brand_id: z.string(),
    profile_id: z.string(),
    advertisers: z.array(z.object({ advertiser_id: z.string(), name: z.string() })),
  }),
);

/** Tags the retailer issued for the profile, with their placeholders as given. */
export const TagsIssued = event(
  "TagsIssued",
  z.object({
    brand_id: z.string(),
    profile_id: z.string(),
    is_macro: z.boolean(),
    tags: z.array(z.object({ advertiser_id: z.string(), publisher_id: z.string(), aa_tag: z.string() })),
  }),
);

/** What the retailer says of one of the seller's products; said only when it differs from what was said before. */
export const SellerProductReported = event(
  "SellerProductReported",
  z.object({
    brand_id: z.string(),
    product_id: z.string(),
    ...listing,
  }),
);

export const LinkCreated = event(
  "LinkCreated",
  z.object({
    link_id: z.string(),
    link_name: z.string(),
    brand_id: z.string(),
    creator_id: z.string(),
    partnership_id: z.string(),
    product_id: z.string(),
    creator_product_id: z.string(),
    asin: z.string(),
    profile_id: z.string(),
    advertiser_id: z.string(),
    publisher_id: z.string(),
    aa_campaignid: z.string(),
    aa_adgroupid: z.string(),
    aa_creativeid: z.string(),
    /** Where the redirect leads: the product page with the attribution tag. */
    url: z.string(),
  }),
);

/** Hidden from lists; it keeps redirecting and earning. */
export const LinkArchived = event(
  "LinkArchived",
  z.object({ link_id: z.string(), brand_id: z.string(), creator_id: z.string() }),
);
export const LinkUnarchived = event(
  "LinkUnarchived",
  z.object({ link_id: z.string(), brand_id: z.string(), creator_id: z.string() }),
);

/** The creator gave the link another name; what it leads to never changes. */
export const LinkRenamed = event(
  "LinkRenamed",
  z.object({ link_id: z.string(), brand_id: z.string(), creator_id: z.string(), link_name: z.string() }),
);

/** The retailer showed figures of the link for the first time (it has 10 clicks): older days may now turn from nothing to something. */
export const LinkUnmasked = event(
  "LinkUnmasked",
  z.object({ link_id: z.string(), brand_id: z.string(), creator_id: z.string() }),
);

/** The row of a report a metric's revision was made of: enough to find it again at the partner. */
export const ReportRow = z.object({ report_id: z.string(), fetched_at: z.string(), row_hash: z.string() });

/**
 * The retailer's figures of one ad group (= link) and marketplace day, whole, each time they differ from the last revision.
 * A row of zeros on a link with fewer than 10 clicks is `masked`: unknown, not nothing.
 */
export const PerfMetricIngested = event(
  "PerfMetricIngested",
  z.object({
    metric_id: z.string(),
    link_id: z.string(),
    brand_id: z.string(),
    creator_id: z.string(),
    partnership_id: z.string(),
    product_id: z.string(),
    date: day,
    /** 1 for the first, one more with each restatement. */
    revision: z.int(),
    /** The marketplace day of the pull that showed it. */
    synced_on: day,
    masked: z.boolean(),
    click_throughs: z.int(),
    detail_page_views_14d: z.int(),
    total_detail_page_view_clicks_14d: z.int(),
    add_to_cart_14d: z.int(),
    total_add_to_cart_clicks_14d: z.int(),
    purchases_14d: z.int(),
    total_purchases_14d: z.int(),
    units_sold_14d: z.int(),
    total_units_sold_14d: z.int(),
    attributed_sales_14d: usd,
    total_attributed_sales_14d: usd,
    brb_bonus_amount: usd.nullable(),
    source: ReportRow,
  }),
);

/** A product row of the report: explanation only, never money. */
export const ProdMetricIngested = event(
  "ProdMetricIngested",
  z.object({
    metric_id: z.string(),
    link_id: z.string(),
    brand_id: z.string(),
    creator_id: z.string(),
    product_id: z.string().nullable(),
    product_asin: z.string(),
    date: day,
    revision: z.int(),
    product_conversion_type: z.string(),
    detail_page_views_clicks_14d: z.int(),
    add_to_cart_14d: z.int(),
    purchases_14d: z.int(),
    units_sold_14d: z.int(),
    attributed_sales_14d: usd,
    source: ReportRow,
  }),
);

/**
 * A pull of the brand's reports ended and everything it showed is recorded at or before `heads` of this log. Said every day for
 * every brand ever connected, without links and disconnected too; a failed pull says nothing.
 */
export const SyncCompleted = event(
  "SyncCompleted",
  z.object({
    brand_id: z.string(),
    /** The marketplace day of the pull. */
    through: day,
    heads: Heads,
    outcome: z.enum(["complete", "no_links", "disconnected"]),
  }),
);

/** A report of the brand's profile was read to its end: which one, which days, and what it changed. */
export const ReportPulled = event(
  "ReportPulled",
  z.object({
    brand_id: z.string(),
    profile_id: z.string(),
    report: z.enum(["performance", "products"]),
    /** Why it was pulled: the daily reconcile, the hourly look, somebody asked, a link was unmasked. */
    run: z.enum(["daily", "hourly", "asked", "backfill"]),
    from: day,
    through: day,
    rows: z.int(),
    changed: z.int(),
    /** Rows of ad groups that are no links of ours. */
    unknown: z.int(),
  }),
);
