import { asDay, type Day } from "@tributary/contracts/dates";
import { z } from "zod";
import type { AdsApi } from "./ads-api.ts";
import type { Patience } from "./asking.ts";
import { AmazonUnavailable } from "./failures.ts";
import { PERFORMANCE_METRICS, PerformanceLine, PRODUCTS_METRICS, ProductLine } from "./report-lines.ts";
import type { Account } from "./tags.ts";

/** Which days of a profile's report to read. */
export interface ReportQuery {
  readonly account: Account;
  readonly advertiser_ids: readonly string[];
  readonly from: Day;
  readonly through: Day;
  readonly patience: Patience;
}

/** A page of a report, and the request it came with, by which the retailer finds it again. */
export interface ReportPage<L> {
  readonly report_id: string;
  readonly lines: readonly L[];
}

const PAGE = 5000;
/** No longest span is documented; 90 days have always been answered. */
const CHUNK_DAYS = 90;

const compact = (date: Day): string => date.replaceAll("-", "");

const Page = z.object({
  reports: z.array(z.unknown()).default([]),
  cursorId: z.union([z.string(), z.record(z.string(), z.unknown())]).nullish(),
});

/** The money report: one row per ad group (= link) and day. */
export const performanceReport = (
  ask: AdsApi,
  query: ReportQuery,
): AsyncGenerator<ReportPage<PerformanceLine>> =>
  read(ask, query, PerformanceLine, {
    reportType: "PERFORMANCE",
    groupBy: "ADGROUP",
    metrics: PERFORMANCE_METRICS.join(","),
  });

/** The explanation behind it: the hundred best products per campaign, no clicks, the last 90 days. */
export const productsReport = (ask: AdsApi, query: ReportQuery): AsyncGenerator<ReportPage<ProductLine>> =>
  read(ask, query, ProductLine, { reportType: "PRODUCTS", metrics: PRODUCTS_METRICS.join(",") });

async function* read<L>(
  ask: AdsApi,
  { account, advertiser_ids, from, through, patience }: ReportQuery,
  line: z.ZodType<L>,
  kind: Record<string, string>,
): AsyncGenerator<ReportPage<L>> {
  for (const chunk of chunks(from, through)) {
    let cursor = "";
    do {
      const { body, request_id } = await ask({
        brand_id: account.brand_id,
        scope: account.profile_id,
        method: "POST",
        path: "/attribution/report",
        body: {
          ...kind,
          advertiserIds: advertiser_ids.join(","),
          startDate: compact(chunk.from),
          endDate: compact(chunk.through),
          count: PAGE,
          cursorId: cursor,
        },
        patience,
      });
      const { reports, cursorId } = Page.parse(body);
      yield {
        report_id: request_id ?? `${account.profile_id}:${compact(chunk.from)}-${compact(chunk.through)}`,
        lines: z.array(line).parse(reports),
      };
      const next = typeof cursorId === "object" && cursorId ? JSON.stringify(cursorId) : (cursorId ?? "");
      if (next !== "" && next === cursor)
        throw new AmazonUnavailable("the report's cursor does not move", 60);
      cursor = next;
    } while (cursor !== "");
  }
}

/** Cuts a span of days into pieces the retailer answers, oldest first. */
export function* chunks(from: Day, through: Day): Generator<{ from: Day; through: Day }> {
  const step = CHUNK_DAYS * 86_400_000;
  for (let at = Date.parse(from); at <= Date.parse(through); at += step) {
    const last = Math.min(at + step - 86_400_000, Date.parse(through));
    yield { from: dayOf(at), through: dayOf(last) };
  }
}
const dayOf = (at: number): Day => asDay(new Date(at).toISOString().slice(0, 10));
