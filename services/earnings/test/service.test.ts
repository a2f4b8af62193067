import { asDay } from "@tributary/contracts/dates";
import { SyncCompleted } from "@tributary/contracts/events/attribution";
import { DayBegan } from "@tributary/contracts/events/day";
import { ExplainNode } from "@tributary/contracts/http/explain";
import { earningId, metricId } from "@tributary/contracts/ids";
import { partitionOf } from "@tributary/runtime/store/partition";
import { type App, as, given } from "@tributary/runtime/testing/harness";
import { expect, test } from "vitest";
import { earnings } from "../src/main.ts";
import { brand, joined, listed, metricStream, type Row, sales } from "./sample.ts";
import { dayStreams } from "./world.ts";

const date = "2026-01-18";
const metric = metricStream(date);
const commission = earningId(metricId("l1", asDay(date)), "commission");

const begin = async (app: App, day: string) => {
  for (const stream of dayStreams)
    await app.hear(stream, DayBegan.catalog({ date: asDay(day) }), DayBegan.program({ date: asDay(day) }));
};
const report = async (app: App, ...rows: Row[]) => {
  for (const row of rows) await app.hear(metricStream(row.date), sales({ ...row, creator: "bo" }));
};
/** A pull ended that recorded so many metrics of that day before. */
const pulled = (app: App, through: string, recorded: number) =>
  app.hear(
    "sync/acme",
    SyncCompleted({
      brand_id: brand,
      through: asDay(through),
      heads: Array<number>(16).fill(0).with(partitionOf(metric), recorded),
      outcome: "complete",
    }),
  );

/** Bo came through ana and sells the mug at 25 %. */
async function shop(): Promise<App> {
  const app = await given(earnings, { now: "2026-01-20T18:00:00Z" });
  await app.hear("product/mug", listed(25));
  await app.hear("partnership/ana", joined("ana", "2026-01-02"));
  const throughAna = { referrer_creator_id: "ana", referral_percent: 5 };
  await app.hear("partnership/bo", joined("bo", "2026-01-02", throughAna));
  return app;
}

const types = async (app: App) => (await app.events()).map(({ type }) => type).toSorted();

test("sales and the end of their pull wait for the day, then both earnings stand, and that they are all of them", async () => {
  const app = await shop();
  await report(app, { date, total: "80.00" });
  await pulled(app, "2026-01-20", 1);
  await app.settled();
  expect(await app.events()).toEqual([]);
  expect((await app.held()).map(({ reader, cause }) => [reader, cause]).toSorted()).toEqual([
    ["accrue-earnings", "catalog has not begun 2026-01-18 in every partition"],
    ["say-accrued-through", "sales of the brand acme are held"],
  ]);

  await begin(app, "2026-01-20");
  await app.settled();
  expect(await app.held()).toEqual([]);
  const [accrued] = (await app.events()).filter(({ type }) => type === "AccruedThrough");
  expect(await types(app)).toEqual(["AccruedThrough", "EarningAccrued", "EarningAccrued"]);
  const heads = accrued?.data.heads as number[];
  expect(heads[partitionOf(`earning/${commission}`)]).toBeGreaterThan(0);
  expect(heads.reduce((sum, head) => sum + head)).toBe(2);
});

test("many revisions at once are decided in their order, and heard from zero once more they add nothing", async () => {
  const app = await shop();
  await begin(app, "2026-04-20");
  const totals = ["80.00", "50.00", "0", "0", "60.01"];
  await report(app, ...totals.map((total, index) => ({ date, total, revision: index + 1 })));
  await report(app, { date, total: "10.00", revision: 6, synced_on: "2026-04-01" });
  await pulled(app, "2026-04-01", 6);
  await app.settled();
  expect(await types(app)).toEqual([
    "AccruedThrough",
    ...Array(2).fill("EarningAccrued"),
    ...Array(6).fill("EarningAdjusted"),
    "RestatementRefused",
  ]);
  expect(await app.heardTwiceFromZero()).toEqual({ events: 0, calls: 0, held: [] });
});

test("an earning is explained to the brand that pays and the creator who is paid, to nobody else", async () => {
  const app = await shop();
  await begin(app, "2026-04-20");
  await report(app, { date, total: "80.00" }, { date, total: "50.00", revision: 2 });
  await app.settled();

  const explain = (who: Parameters<App["as"]>[0], entry = `${commission}@2`) =>
    app.as(who).get(`/api/explain/earning/${entry}`);
  const told = await explain(as.brand(brand));
  expect(told.status).toBe(200);
  expect(ExplainNode.parse(told.body)).toMatchObject({
    id: `${commission}@2`,
    amounts: { delta: "-7.5000" },
    recorded: { by: "earnings.accrue-earnings", stream: `earning/${commission}` },
  });
  expect((await explain(as.creator("bo"))).body).toEqual(told.body);
  for (const stranger of [as.brand("globex"), as.creator("ana")])
    expect((await explain(stranger)).status).toBe(404);
  const referral = `${earningId(metricId("l1", asDay(date)), "referral")}@1`;
  expect((await explain(as.creator("ana"), referral)).body).toMatchObject({ children: [], parts: [{}] });
  expect((await explain(as.brand(brand), referral)).body).toMatchObject({ children: [{}], parts: [] });
  expect((await explain(as.creator("bo"), referral)).status).toBe(404);
  expect((await explain(as.nobody)).status).toBe(401);
  expect((await explain(as.brand(brand), `${commission}@3`)).status).toBe(404);
  expect((await explain(as.brand(brand), "no-such@1")).status).toBe(404);
});

test("a brand sees what of its own came too late to be booked by itself", async () => {
  const app = await shop();
  await begin(app, "2026-04-20");
  await report(app, { date, total: "80.00" }, { date, total: "75.00", revision: 2, synced_on: "2026-04-01" });
  await app.settled();

  const review = (who: Parameters<App["as"]>[0]) => app.as(who).get("/api/restatements/review");
  expect((await review(as.brand(brand))).body).toEqual({
    items: [
      {
        metric_id: metricId("l1", asDay(date)),
        link_id: "l1",
        creator_id: "bo",
        date,
        synced_on: "2026-04-01",
        accrued_base: "80.00",
        reported_base: "75.00",
        delta_base: "-5.00",
      },
    ],
    next: null,
  });
  expect((await review(as.brand("globex"))).body.items).toEqual([]);
  expect((await review(as.creator("bo"))).status).toBe(403);

  await report(app, { date, total: "80.00", revision: 3, synced_on: "2026-04-02" });
  await app.settled();
  expect((await review(as.brand(brand))).body.items).toEqual([]);
});
