import { asDay } from "@tributary/contracts/dates";
import type { DataOf } from "@tributary/contracts/event";
import { PerfMetricIngested } from "@tributary/contracts/events/attribution";
import {
  ProductCommissionChangeCancelled,
  ProductCommissionChanged,
  ProductListed,
} from "@tributary/contracts/events/catalog";
import {
  CreatorFeeAgreed,
  CreatorFeeChangeCancelled,
  PartnershipActivated,
  PartnershipEnded,
  ProgramSettingsChanged,
} from "@tributary/contracts/events/program";
import { creatorProductId, metricId, partnershipId } from "@tributary/contracts/ids";
import { parseReported } from "@tributary/contracts/money";

export const brand = "acme";
export const product = "mug";
export const stranger = { uid: "u", email: null, user_id: "u", role: "user", approved: true } as const;

/** The brand lists its product at a percent for everybody. */
export const listed = (percent: number, product_id = product) =>
  ProductListed({
    product_id,
    brand_id: brand,
    asin: "B00",
    sku: product_id,
    title: product_id,
    category: null,
    subcategory: null,
    group: null,
    availability: "in_stock",
    best_seller_rank: null,
    eligibility_status: null,
    ineligibility_codes: [],
    image_url: null,
    large_image_url: null,
    price: null,
    price_currency: "USD",
    variations_list: [],
    commission_percent: percent,
    listed_on: asDay("2025-12-01"),
  });

/** The brand sets another percent: asked for on one day, in force from another. */
export const changed = (
  percent: number,
  requested_on: string,
  effective_from: string,
  product_id = product,
) =>
  ProductCommissionChanged({
    product_id,
    brand_id: brand,
    percent,
    requested_on: asDay(requested_on),
    effective_from: asDay(effective_from),
    set_by: "brand-user",
  });

export const changeCancelled = (requested_on: string, product_id = product) =>
  ProductCommissionChangeCancelled({
    product_id,
    brand_id: brand,
    requested_on: asDay(requested_on),
    set_by: "brand-user",
  });

const grant = (creator_id: string, product_id: string) => ({
  partnership_id: partnershipId(creator_id, brand),
  creator_product_id: creatorProductId(partnershipId(creator_id, brand), product_id),
  creator_id,
  brand_id: brand,
  product_id,
});

/** A private fee of one creator. */
export const agreed = (
  creator_id: string,
  percent: number,
  requested_on: string,
  effective_from: string,
  product_id = product,
) =>
  CreatorFeeAgreed({
    ...grant(creator_id, product_id),
    percent,
    requested_on: asDay(requested_on),
    effective_from: asDay(effective_from),
    set_by: "brand-user",
  });

export const agreementCancelled = (creator_id: string, requested_on: string, product_id = product) =>
  CreatorFeeChangeCancelled({
    ...grant(creator_id, product_id),
    requested_on: asDay(requested_on),
    set_by: "brand-user",
  });

/** A creator begins to work for the brand, perhaps referred by another. */
export const joined = (
  creator_id: string,
  started_on: string,
  terms: Partial<DataOf<typeof PartnershipActivated>> = {},
) =>
  PartnershipActivated({
    partnership_id: partnershipId(creator_id, brand),
    creator_id,
    brand_id: brand,
    started_on: asDay(started_on),
    source_program_id: `${brand}-program`,
    commission_base: "total",
    referrer_creator_id: null,
    referral_percent: null,
    ...terms,
  });

export const ended = (creator_id: string, ended_on: string) =>
  PartnershipEnded({
    partnership_id: partnershipId(creator_id, brand),
    creator_id,
    brand_id: brand,
    ended_on: asDay(ended_on),
    by: "brand",
    reason: null,
  });

export const basedOn = (commission_base: "total" | "promoted", effective_from: string) =>
  ProgramSettingsChanged({
    program_id: `${brand}-program`,
    brand_id: brand,
    commission_base,
    effective_from: asDay(effective_from),
    set_by: "brand-user",
  });

export interface Row {
  date: string;
  total: string;
  promoted?: string;
  revision?: number;
  synced_on?: string;
  link?: string;
  creator?: string;
  product?: string;
}

/** What the report says of a creator's link on a day. */
export const sales = ({ date, total, promoted = total, revision = 1, ...row }: Row) => {
  const { synced_on = date, link = "l1", creator = "ana" } = row;
  return PerfMetricIngested({
    metric_id: metricId(link, asDay(date)),
    link_id: link,
    brand_id: brand,
    creator_id: creator,
    partnership_id: partnershipId(creator, brand),
    product_id: row.product ?? product,
    date: asDay(date),
    revision,
    synced_on: asDay(synced_on),
    masked: false,
    click_throughs: 20,
    detail_page_views_14d: 0,
    total_detail_page_view_clicks_14d: 0,
    add_to_cart_14d: 0,
    total_add_to_cart_clicks_14d: 0,
    purchases_14d: 1,
    total_purchases_14d: 1,
    units_sold_14d: 1,
    total_units_sold_14d: 1,
    attributed_sales_14d: parseReported(promoted)!,
    total_attributed_sales_14d: parseReported(total)!,
    brb_bonus_amount: null,
    source: { report_id: "r1", fetched_at: `${synced_on}T02:00:00.000Z`, row_hash: `${total}/${promoted}` },
  });
};

/** The stream a metric lives on. */
export const metricStream = (date: string, link = "l1") => `metric/${metricId(link, asDay(date))}`;
