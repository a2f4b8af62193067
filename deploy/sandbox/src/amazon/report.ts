import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { check, json, mediaType } from "../core/strict.ts";
import { requireAttribution } from "./ads-access.ts";
import type { AmazonContext } from "./context.ts";
import { adsError, adsFlaw } from "./errors.ts";
import { performanceRows, type Row } from "./performance-report.ts";
import { productRows } from "./products-report.ts";
import { ReportBody, reportQuestion } from "./report-request.ts";

const FIELD = { CAMPAIGN: "campaign_id", ADGROUP: "ad_group_id", CREATIVE: "creative_id" } as const;

const dayMs = (row: Row) => Date.parse(`${row.date}T00:00:00Z`);

function inOrder(a: Row, b: Row): number {
  return a.key < b.key ? -1 : a.key > b.key ? 1 : dayMs(a) - dayMs(b);
}

/** The attribution report, page by page; a cursor is a JSON text that names the last row seen. */
export function report(app: FastifyInstance, ctx: AmazonContext): void {
  app.post("/amazon-ads/attribution/report", async (request, reply) => {
    const reader = requireAttribution(ctx, request, reply);
    if (mediaType(request.headers["content-type"]) !== "application/json")
      throw adsError(ctx, 415, "Unsupported Media Type: Content-Type must be application/json");
    const accept = request.headers.accept ?? "*/*";
    if (!/\*\/\*|application\/(json|\*)/.test(accept)) throw adsError(ctx, 406, `Not Acceptable: ${accept}`);
    check(z.strictObject({}), request.query, adsFlaw(ctx));
    const body = check(ReportBody, json(request.body, adsFlaw(ctx)), adsFlaw(ctx));
    const question = reportQuestion(ctx, body, reader.profile.advertiser_id);

    const make = question.type === "PRODUCTS" ? productRows : performanceRows;
    const { after } = question;
    const rest = make(ctx, reader, question)
      .sort(inOrder)
      .filter((row) => !after || row.key > after.key || (row.key === after.key && dayMs(row) > after.day));
    const page = rest.slice(0, question.count);
    const last = page.at(-1);
    const cursorId =
      last && rest.length > page.length
        ? JSON.stringify({
            values: [last.key, dayMs(last)],
            page: (after?.page ?? 0) + 1,
            fields: [FIELD[question.group], "day_timestamp"],
            version: "V2",
          })
        : null;
    const reports = page.map(({ shown }) => shown);
    return ctx.state.dialect === "recorded"
      ? { reports, count: reports.length, cursorId }
      : { reports, size: reports.length, cursorId: cursorId ?? "" };
  });
}
