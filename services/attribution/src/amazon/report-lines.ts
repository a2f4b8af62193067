import { asDay, type Day } from "@tributary/contracts/dates";
import { type Cents, NO_CENTS, parseReported } from "@tributary/contracts/money";
import { z } from "zod";
import { contentHash } from "../content-hash.ts";

/** Asked for by name, because the brand referral bonus is only shown when named. */
export const PERFORMANCE_METRICS = [
  "Click-throughs",
  "attributedDetailPageViewsClicks14d",
  "attributedAddToCartClicks14d",
  "attributedPurchases14d",
  "unitsSold14d",
  "attributedSales14d",
  "attributedTotalDetailPageViewsClicks14d",
  "attributedTotalAddToCartClicks14d",
  "attributedTotalPurchases14d",
  "totalUnitsSold14d",
  "totalAttributedSales14d",
  "brb_bonus_amount",
] as const;

export const PRODUCTS_METRICS = [
  "attributedDetailPageViewsClicks14d",
  "attributedAddToCartClicks14d",
  "attributedPurchases14d",
  "unitsSold14d",
  "attributedSales14d",
  "brandHaloDetailPageViewsClicks14d",
  "brandHaloAttributedAddToCartClicks14d",
  "brandHaloAttributedPurchases14d",
  "brandHaloUnitsSold14d",
  "brandHaloAttributedSales14d",
] as const;

/** The retailer writes numbers as text, sometimes as numbers; both are read as the text they are written in. */
const written = z.union([z.string(), z.number()]).transform(String);
const count = written
  .pipe(z.string().regex(/^\d+(\.0*)?$/, "must be a whole number"))
  .transform((text) => Number(text))
  .nullish()
  .transform((value) => value ?? 0);
const amountOrNothing = written.nullish().transform((text, context): Cents | null => {
  if (text === null || text === undefined || text === "") return null;
  const cents = parseReported(text);
  if (cents === null) context.addIssue({ code: "custom", message: `"${text}" is no decimal text` });
  return cents;
});
const amount = amountOrNothing.transform((cents) => cents ?? NO_CENTS);
const date = written
  .pipe(z.string().regex(/^\d{8}$/, "must be YYYYMMDD"))
  .transform((text): Day => asDay(`${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6)}`));
const name = written.nullish().transform((text) => text ?? null);

const dimensions = { date, campaignId: name, adGroupId: name, adgroupId: name };

/** One ad group and day, whole. `row_hash` is equal exactly when the retailer says the same. */
export const PerformanceLine = z
  .object({
    ...dimensions,
    "Click-throughs": count,
    attributedDetailPageViewsClicks14d: count,
    attributedTotalDetailPageViewsClicks14d: count,
    attributedAddToCartClicks14d: count,
    attributedTotalAddToCartClicks14d: count,
    attributedPurchases14d: count,
    attributedTotalPurchases14d: count,
    unitsSold14d: count,
    totalUnitsSold14d: count,
    attributedSales14d: amount,
    totalAttributedSales14d: amount,
    brb_bonus_amount: amountOrNothing,
  })
  .transform((row) => ({
    date: row.date,
    adgroup_id: row.adGroupId ?? row.adgroupId,
    figures: {
      click_throughs: row["Click-throughs"],
      detail_page_views_14d: row.attributedDetailPageViewsClicks14d,
      total_detail_page_view_clicks_14d: row.attributedTotalDetailPageViewsClicks14d,
      add_to_cart_14d: row.attributedAddToCartClicks14d,
      total_add_to_cart_clicks_14d: row.attributedTotalAddToCartClicks14d,
      purchases_14d: row.attributedPurchases14d,
      total_purchases_14d: row.attributedTotalPurchases14d,
      units_sold_14d: row.unitsSold14d,
      total_units_sold_14d: row.totalUnitsSold14d,
      attributed_sales_14d: row.attributedSales14d,
      total_attributed_sales_14d: row.totalAttributedSales14d,
      brb_bonus_amount: row.brb_bonus_amount,
    },
  }));
export type PerformanceLine = z.output<typeof PerformanceLine>;
export type Figures = PerformanceLine["figures"];

/** One product behind an ad group and day: the linked one ("Promoted") or another of the brand ("Brand Halo"). */
export const ProductLine = z
  .object({
    ...dimensions,
    productAsin: z.string(),
    productConversionType: z.string().default("Promoted"),
    attributedDetailPageViewsClicks14d: count,
    attributedAddToCartClicks14d: count,
    attributedPurchases14d: count,
    unitsSold14d: count,
    attributedSales14d: amount,
    brandHaloDetailPageViewsClicks14d: count,
    brandHaloAttributedAddToCartClicks14d: count,
    brandHaloAttributedPurchases14d: count,
    brandHaloUnitsSold14d: count,
    brandHaloAttributedSales14d: amount,
  })
  .transform((row) => ({
    date: row.date,
    adgroup_id: row.adGroupId ?? row.adgroupId,
    product_asin: row.productAsin,
    product_conversion_type: row.productConversionType,
    figures:
      row.productConversionType === "Promoted"
        ? {
            detail_page_views_clicks_14d: row.attributedDetailPageViewsClicks14d,
            add_to_cart_14d: row.attributedAddToCartClicks14d,
            purchases_14d: row.attributedPurchases14d,
            units_sold_14d: row.unitsSold14d,
            attributed_sales_14d: row.attributedSales14d,
          }
        : {
            detail_page_views_clicks_14d: row.brandHaloDetailPageViewsClicks14d,
            add_to_cart_14d: row.brandHaloAttributedAddToCartClicks14d,
            purchases_14d: row.brandHaloAttributedPurchases14d,
            units_sold_14d: row.brandHaloUnitsSold14d,
            attributed_sales_14d: row.brandHaloAttributedSales14d,
          },
  }));
export type ProductLine = z.output<typeof ProductLine>;

/** Equal exactly when two rows say the same; amounts count as the cents they round to. */
export const figuresHash = (figures: Readonly<Record<string, number | Cents | null>>): string =>
  contentHash(
    Object.fromEntries(Object.entries(figures).map(([field, value]) => [field, value?.toString() ?? null])),
  );

/** Nothing at all in the row: what the retailer shows of a link with fewer than 10 clicks, and of a day without anything. */
export const isEmpty = (figures: Figures): boolean =>
  Object.values(figures).every((value) => value === null || BigInt(value) === 0n);

/** Two rows of one ad group and day, added up; the retailer gives one, unless a dimension of its own splits them. */
export const addFigures = (a: Figures, b: Figures): Figures =>
  Object.fromEntries(
    Object.entries(a).map(([field, value]) => {
      const other = b[field as keyof Figures];
      if (value === null || other === null) return [field, value ?? other];
      return [field, typeof value === "bigint" ? value + BigInt(other) : value + (other as number)];
    }),
  ) as Figures;
