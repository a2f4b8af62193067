import { z } from "zod";
import type { AmazonContext } from "./context.ts";
import { adsError } from "./errors.ts";
import { addDays, marketplaceDay } from "./marketplace-day.ts";

const BONUS = "brb_bonus_amount";

/** Metrics of a PERFORMANCE report that come unless others are asked for by name. */
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
] as const;

/** Metrics of a PRODUCTS report. */
export const PRODUCT_METRICS = [
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
  "attributedNewToBrandPurchases14d",
  "attributedNewToBrandUnitsSold14d",
  "attributedNewToBrandSales14d",
  "brandHaloNewToBrandPurchases14d",
  "brandHaloNewToBrandUnitsSold14d",
  "brandHaloNewToBrandSales14d",
] as const;

const day = z.string().regex(/^\d{8}$/, "must be YYYYMMDD");

/** The body of POST /attribution/report: lists are comma-joined strings. */
export const ReportBody = z.strictObject({
  reportType: z.enum(["PERFORMANCE", "PRODUCTS"]).default("PERFORMANCE"),
  advertiserIds: z.string().optional(),
  startDate: day,
  endDate: day,
  count: z.int().min(1).max(5000).default(1000),
  cursorId: z.string().nullable().optional(),
  metrics: z.string().min(1).optional(),
  groupBy: z.enum(["CAMPAIGN", "ADGROUP", "CREATIVE"]).optional(),
});

const Cursor = z.strictObject({
  values: z.tuple([z.string(), z.number()]),
  page: z.int().min(1),
  fields: z.array(z.string()),
  version: z.literal("V2"),
});

/** A question that a report can be made for; days are YYYY-MM-DD. */
export interface ReportQuestion {
  type: "PERFORMANCE" | "PRODUCTS";
  from: string;
  to: string;
  count: number;
  /** The last row of the page before: its key and the milliseconds of its day. */
  after: { key: string; day: number; page: number } | null;
  metrics: string[];
  group: "CAMPAIGN" | "ADGROUP" | "CREATIVE";
}

function dashed(ctx: AmazonContext, name: string, text: string): string {
  const dashedText = `${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6)}`;
  const parsed = new Date(`${dashedText}T00:00:00Z`);
  if (Number.isNaN(parsed.getTime()) || parsed.toISOString().slice(0, 10) !== dashedText)
    throw adsError(ctx, 400, `Invalid value for ${name}: ${text} is no day`);
  return dashedText;
}

function monthsBefore(today: string, months: number): string {
  const date = new Date(`${today}T00:00:00Z`);
  date.setUTCMonth(date.getUTCMonth() - months);
  return date.toISOString().slice(0, 10);
}

function cursor(ctx: AmazonContext, text: string | null | undefined): ReportQuestion["after"] {
  if (!text) return null;
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch {
    throw adsError(ctx, 400, "Invalid value for cursorId");
  }
  const parsed = Cursor.safeParse(read);
  if (!parsed.success) throw adsError(ctx, 400, "Invalid value for cursorId");
  const { values, page } = parsed.data;
  return { key: values[0], day: values[1], page };
}

function metrics(ctx: AmazonContext, body: z.output<typeof ReportBody>): string[] {
  const known: readonly string[] =
    body.reportType === "PRODUCTS" ? PRODUCT_METRICS : [...PERFORMANCE_METRICS, BONUS];
  if (body.metrics === undefined) return known.filter((name) => name !== BONUS);
  const asked = body.metrics.split(",").map((name) => name.trim());
  for (const name of asked)
    if (!known.includes(name)) throw adsError(ctx, 400, `Invalid metric for ${body.reportType}: ${name}`);
  if (asked.includes(BONUS) && (body.groupBy ?? "CREATIVE") === "CREATIVE")
    throw adsError(ctx, 400, `${BONUS} is only supported with groupBy ADGROUP or CAMPAIGN`);
  return asked;
}

/** Checks what the schema alone cannot: whose advertisers, real days, how far back, metrics that go together. */
export function reportQuestion(
  ctx: AmazonContext,
  body: z.output<typeof ReportBody>,
  advertiserId: string,
): ReportQuestion {
  for (const id of body.advertiserIds?.split(",") ?? [])
    if (id.trim() !== advertiserId) throw adsError(ctx, 400, `Invalid advertiserId: ${id}`);
  const from = dashed(ctx, "startDate", body.startDate);
  const to = dashed(ctx, "endDate", body.endDate);
  const today = marketplaceDay(ctx.now());
  if (from > to) throw adsError(ctx, 400, "startDate must not be after endDate");
  const { history_months } = ctx.state.settings;
  if (from < monthsBefore(today, history_months))
    throw adsError(ctx, 400, `startDate must be within the last ${history_months} months`);
  if (body.reportType === "PRODUCTS") {
    if (from < addDays(today, -90))
      throw adsError(ctx, 400, "startDate must be within the last 90 days for PRODUCTS reports");
    if (body.groupBy !== undefined) throw adsError(ctx, 400, "groupBy is not supported for PRODUCTS reports");
  }
  return {
    type: body.reportType,
    from,
    to,
    count: body.count,
    after: cursor(ctx, body.cursorId),
    metrics: metrics(ctx, body),
    group: body.reportType === "PRODUCTS" ? "ADGROUP" : (body.groupBy ?? "CREATIVE"),
  };
}
