import { type Day, MARKETPLACE_ZONE } from "@tributary/contracts/dates";
import { metricId } from "@tributary/contracts/ids";
import { as } from "@tributary/runtime/testing/harness";
import { expect, test } from "vitest";
import { beginDailyPulls } from "../src/jobs/begin-daily-pulls.ts";
import { link } from "../src/link.ts";
import { linkCreated } from "./support/links.ts";
import { evening, row, said } from "./support/report.ts";
import { beside, brand, connect } from "./support/story.ts";

const L1 = "aB3dE5gH7j";
const L2 = "zY9xW7vU5t";

async function withLinks(...ids: string[]) {
  const { app, amazon } = await beside();
  await connect(app, amazon);
  for (const id of ids) await app.happened(link.at(id), linkCreated(id));
  await app.settled();
  return { app, amazon };
}

test("at six in the evening the report becomes metrics, page by page, in cents", async () => {
  const { app, amazon } = await withLinks(L1);
  const cursorId = '{"values":[17103463201,1644192000000],"page":1,"fields":["creative_id"],"version":"V2"}';
  amazon.pages = {
    "": { reports: [row(L1, "2026-01-04", 20, "191.95999999999998", "100")], cursorId },
    [cursorId]: { reports: [row(L1, "2026-01-05", 12, "0.005")], cursorId: null },
  };
  await evening(app, "2026-01-05");

  const metrics = await said(app, "PerfMetricIngested");
  expect(metrics).toHaveLength(2);
  expect(metrics).toContainEqual(
    expect.objectContaining({
      metric_id: metricId(L1, "2026-01-04" as Day),
      link_id: L1,
      brand_id: "b1",
      creator_id: "c1",
      partnership_id: "p1",
      product_id: "x1",
      date: "2026-01-04",
      revision: 1,
      synced_on: "2026-01-05",
      masked: false,
      click_throughs: 20,
      attributed_sales_14d: "100.00",
      total_attributed_sales_14d: "191.96",
      brb_bonus_amount: null,
    }),
  );
  expect(metrics).toContainEqual(
    expect.objectContaining({ date: "2026-01-05", total_attributed_sales_14d: "0.01" }),
  );
});

test("the report is asked for by ad group, 30 days back, 5000 rows at a time, bonus included", async () => {
  const { app, amazon } = await withLinks(L1);
  await evening(app, "2026-01-05");
  const [asked] = amazon.asked("/attribution/report");

  expect(JSON.parse(asked!.body)).toMatchObject({
    reportType: "PERFORMANCE",
    groupBy: "ADGROUP",
    advertiserIds: "77",
    startDate: "20251207",
    endDate: "20260105",
    count: 5000,
    cursorId: "",
    metrics: expect.stringContaining("totalAttributedSales14d,brb_bonus_amount"),
  });
  expect(asked!.headers.get("amazon-advertising-api-scope")).toBe("901");
  expect(beginDailyPulls.cron).toEqual({ rule: "0 18 * * *", zone: MARKETPLACE_ZONE });
});

test("a wider window is read in pieces of 90 days, and never further back than the report reaches", async () => {
  const { app, amazon } = await beside({ SYNC_WINDOW_DAYS: "1000" });
  await connect(app, amazon);
  await app.happened(link.at(L1), linkCreated(L1));
  await evening(app, "2026-01-05");
  const spans = amazon.asked("/attribution/report").map(({ body }) => JSON.parse(body));
  expect(spans.map(({ startDate, endDate }) => `${startDate}-${endDate}`)).toEqual([
    "20241212-20250311",
    "20250312-20250609",
    "20250610-20250907",
    "20250908-20251206",
    "20251207-20260105",
  ]);
});

test("a pull is completed only after everything it showed: at or before the heads it names", async () => {
  const { app, amazon } = await withLinks(L1);
  amazon.pages = { "": { reports: [row(L1, "2026-01-04", 20, "10.00")] } };
  await evening(app, "2026-01-05");

  const [word] = await said(app, "SyncCompleted");
  expect(word).toMatchObject({ brand_id: "b1", through: "2026-01-05", outcome: "complete" });
  const heads = word!.heads as number[];
  expect(heads).toHaveLength(16);
  const log = app.mounted.acting("test");
  const now = await log.heads();
  const behind = now.reduce((sum, head, partition) => sum + head - heads[partition]!, 0);
  expect(behind).toBe(1);
});

test("the same report again changes nothing; another figure is the next revision, down to zero and up again", async () => {
  const { app, amazon } = await withLinks(L1);
  const report = async (on: string, clicks: number, total: string) => {
    amazon.pages = { "": { reports: [row(L1, "2026-01-04", clicks, total)] } };
    await evening(app, on);
  };
  await report("2026-01-05", 20, "100.00");
  await report("2026-01-06", 20, "100");
  await report("2026-01-07", 20, "0");
  await report("2026-01-08", 0, "0");
  await report("2026-01-09", 20, "60.00");

  expect(await said(app, "PerfMetricIngested")).toMatchObject([
    { revision: 1, total_attributed_sales_14d: "100.00" },
    { revision: 2, total_attributed_sales_14d: "0.00", masked: false },
    { revision: 3, total_attributed_sales_14d: "0.00", click_throughs: 0, masked: false },
    { revision: 4, total_attributed_sales_14d: "60.00", synced_on: "2026-01-09" },
  ]);
  expect(await said(app, "SyncCompleted")).toHaveLength(5);
});

test("rows the retailer masks are said as masked; when it shows the link at last, its whole past is read", async () => {
  const { app, amazon } = await withLinks(L1);
  amazon.pages = { "": { reports: [row(L1, "2026-01-06", 0, "0")] } };
  await evening(app, "2026-01-06");
  expect(await said(app, "PerfMetricIngested")).toMatchObject([{ masked: true, revision: 1 }]);

  amazon.pages = { "": { reports: [row(L1, "2026-02-20", 3, "5.00")] } };
  amazon.calls.length = 0;
  await evening(app, "2026-02-21");
  expect(await said(app, "LinkUnmasked")).toEqual([{ link_id: L1, brand_id: "b1", creator_id: "c1" }]);
  const spans = amazon.asked("/attribution/report").map(({ body }) => JSON.parse(body));
  expect(spans.map(({ startDate, endDate }) => [startDate, endDate])).toContainEqual([
    "20260105",
    "20260122",
  ]);
  expect(await said(app, "ReportPulled")).toContainEqual(
    expect.objectContaining({ run: "backfill", from: "2026-01-05" }),
  );
});

test("ad groups that are no links of the brand are left out and counted", async () => {
  const { app, amazon } = await withLinks(L1);
  await app.happened(link.at(L2), linkCreated(L2, { brand_id: "b2" }));
  amazon.pages = {
    "": {
      reports: [
        row("Mood Boost", "2026-01-04", 99, "1.00"),
        row(null, "2026-01-04", 99, "1.00"),
        row(L2, "2026-01-04", 99, "1.00"),
      ],
    },
  };
  await evening(app, "2026-01-05");
  expect(await said(app, "PerfMetricIngested")).toEqual([]);
  expect(await said(app, "ReportPulled")).toMatchObject([{ rows: 3, changed: 0, unknown: 3 }]);
});

test("a large page is recorded whole", async () => {
  const ids = [...Array(60).keys()].map((n) => `link${String(n).padStart(6, "0")}`);
  const { app, amazon } = await withLinks(...ids);
  const dates = [...Array(20).keys()].map((n) => `2025-12-${n + 10}`);
  amazon.pages = { "": { reports: ids.flatMap((id) => dates.map((date) => row(id, date, 20, "1.00"))) } };
  await evening(app, "2026-01-05");
  expect(await said(app, "PerfMetricIngested")).toHaveLength(1200);
  expect(await said(app, "LinkUnmasked")).toHaveLength(60);
});

test("every brand ever connected is spoken of every day: without links, and disconnected, too, and then nobody is called", async () => {
  const { app, amazon } = await withLinks();
  await evening(app, "2026-01-05");
  await app.as(brand).patch("/api/brands/b1/connect", { connected: false });
  await app.settled();
  amazon.calls.length = 0;
  await evening(app, "2026-01-06");
  await evening(app, "2026-01-07");

  expect(await said(app, "SyncCompleted")).toMatchObject([
    { through: "2026-01-05", outcome: "no_links" },
    { through: "2026-01-06", outcome: "disconnected" },
    { through: "2026-01-07", outcome: "disconnected" },
  ]);
  expect(amazon.calls).toEqual([]);
});

test("a grant taken back is noticed by the pull: disconnected, and said so", async () => {
  const { app, amazon } = await withLinks(L1);
  amazon.revoked = true;
  await evening(app, "2026-01-05");
  expect(await said(app, "SellerDisconnected")).toEqual([{ brand_id: "b1", reason: "revoked" }]);
  expect(await said(app, "SyncCompleted")).toMatchObject([{ outcome: "disconnected" }]);
});

test("a pull that fails says nothing, and is tried again", async () => {
  const { app, amazon } = await withLinks(L1);
  amazon.pages = { "": { reports: [row(L1, "2026-01-04", 20, "10.00")] } };
  let before: unknown[] = [{}];
  amazon.faults.push((call) =>
    call.path === "/attribution/report"
      ? Response.json({ code: "400", details: "no" }, { status: 400 })
      : null,
  );
  amazon.faults.push((call) => {
    if (call.path !== "/attribution/report") return null;
    before = amazon.asked("/attribution/report");
    return Response.json({ reports: [row(L1, "2026-01-04", 20, "10.00")] });
  });
  await evening(app, "2026-01-05");

  expect(before).toHaveLength(2);
  expect(await said(app, "PerfMetricIngested")).toHaveLength(1);
  expect(await said(app, "SyncCompleted")).toHaveLength(1);
});

test("where it is asked for, the last 16 days are read every hour until the brand disconnects", async () => {
  const { app, amazon } = await beside({ SYNC_HOURLY: "on" });
  await connect(app, amazon);
  await app.happened(link.at(L1), linkCreated(L1));
  await evening(app, "2026-01-05");
  amazon.calls.length = 0;
  app.clock.set("2026-01-06T03:00:00Z");
  await app.settled();
  expect(amazon.asked("/attribution/report").map(({ body }) => JSON.parse(body).startDate)).toEqual([
    "20251221",
  ]);
  expect(await said(app, "SyncCompleted")).toHaveLength(1);

  await app.as(brand).patch("/api/brands/b1/connect", { connected: false });
  amazon.calls.length = 0;
  app.clock.set("2026-01-06T05:00:00Z");
  await app.settled();
  expect(amazon.calls).toEqual([]);
});

test("heard twice from zero, nothing is recorded and nobody is called", async () => {
  const { app, amazon } = await withLinks(L1);
  await connect(app, amazon, as.brand("b3"));
  await evening(app, "2026-01-05");
  expect(await app.heardTwiceFromZero()).toEqual({ events: 0, calls: 0, held: [] });
});
