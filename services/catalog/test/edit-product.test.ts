import { type App, as } from "@tributary/runtime/testing/harness";
import { expect, test } from "vitest";
import { editProduct } from "../src/commands/edit-product.ts";
import { decided, withMug } from "./shelf.ts";

const brand = as.brand("b1");
const percent = (app: App, commission_perc: unknown) =>
  app.as(brand).patch("/api/products/mug", { commission_perc });
const changes = async (app: App) =>
  (await decided(app))
    .filter(({ type }) => type.startsWith("ProductCommission"))
    .map(({ type, data }) => [type, data.percent, data.effective_from, data.requested_on]);
const on = async (app: App, day: string) => {
  app.clock.set(`${day}T20:00:00Z`);
  await app.settled();
};

test("a raise is in force from the next day, and shown as coming until then", async () => {
  const app = await withMug();
  expect(await percent(app, 25)).toMatchObject({
    status: 200,
    body: { commission_perc: 20, commission_pending: { percent: 25, effective_from: "2026-01-11" } },
  });
  expect(await changes(app)).toEqual([["ProductCommissionChanged", 25, "2026-01-11", "2026-01-10"]]);
  await on(app, "2026-01-11");
  expect((await app.as(brand).get("/api/products/mug")).body).toMatchObject({
    commission_perc: 25,
    commission_pending: null,
  });
});

test("a cut waits fourteen days, also from a raise that began that day", async () => {
  const app = await withMug();
  await percent(app, 25);
  await on(app, "2026-01-11");
  await percent(app, 20);
  expect((await changes(app)).at(-1)).toEqual(["ProductCommissionChanged", 20, "2026-01-25", "2026-01-11"]);
});

test("asking for what is in force only takes back what was to come", async () => {
  const app = await withMug();
  expect(await percent(app, 20)).toMatchObject({ status: 200, body: { commission_perc: 20 } });
  expect(await changes(app)).toEqual([]);
  await percent(app, 10);
  expect(await percent(app, 20)).toMatchObject({ body: { commission_pending: null } });
  expect((await changes(app)).at(-1)).toEqual([
    "ProductCommissionChangeCancelled",
    undefined,
    undefined,
    "2026-01-10",
  ]);
});

test("said twice, it is recorded once", async () => {
  const app = await withMug();
  await percent(app, 25);
  await percent(app, 25);
  expect(await changes(app)).toHaveLength(1);
});

test("only whole percents from 1 to 100 are fees", async () => {
  const app = await withMug();
  for (const wrong of [0, 101, 12.5, "20", null]) {
    expect(await percent(app, wrong)).toMatchObject({
      status: 400,
      body: { errors: [{ field: "commission_perc" }] },
    });
  }
  expect(await changes(app)).toEqual([]);
});

test("nobody changes another brand's product, and an unknown product looks the same", async () => {
  const app = await withMug();
  const stranger = app.as(as.brand("b2"));
  expect(await stranger.patch("/api/products/mug", { commission_perc: 99 })).toMatchObject({ status: 404 });
  expect(await stranger.get("/api/products/mug")).toMatchObject({ status: 404 });
  expect(await stranger.get("/api/products/mug/commission-history")).toMatchObject({ status: 404 });
  expect(await app.as(brand).patch("/api/products/none", { favorite: true })).toMatchObject({ status: 404 });
});

test("a decision waits until its day has begun in the log", () => {
  const state = { status: "listed", product_id: "mug", brand_id: "b1", fees: [], favorite: false };
  const asked = (date: string) => () =>
    editProduct.decide(
      { id: "mug", favorite: true } as never,
      state as never,
      { day: { date } } as never,
      { today: "2026-01-11", caller: as.brand("b1") } as never,
    );
  expect(asked("2026-01-10")).toThrow(expect.objectContaining({ status: 503, code: "day_not_begun" }));
  expect(asked("2026-01-11")).not.toThrow();
});

test("a day begins once in every partition, and each missed one is made up for", async () => {
  const app = await withMug();
  app.clock.set("2026-01-13T09:00:00Z");
  await app.settled();
  const begun = (await app.events()).filter(({ type }) => type === "DayBegan");
  const days = (stream: string) =>
    begun.filter((event) => event.stream === stream).map(({ data }) => data.date);
  const streams = [...new Set(begun.map(({ stream }) => stream))];
  expect(streams).toHaveLength(16);
  for (const stream of streams) {
    expect(days(stream)).toEqual(["2026-01-10", "2026-01-11", "2026-01-12", "2026-01-13"]);
  }
});

test("the history tells who asked for what, and from when", async () => {
  const app = await withMug();
  await percent(app, 25);
  await percent(app, 20);
  expect((await app.as(brand).get("/api/products/mug/commission-history")).body).toEqual([
    { kind: "listed", percent: 20, effective_from: null, requested_on: "2026-01-10", set_by: null },
    {
      kind: "agreed",
      percent: 25,
      effective_from: "2026-01-11",
      requested_on: "2026-01-10",
      set_by: "user-b1",
    },
    {
      kind: "cancelled",
      percent: null,
      effective_from: null,
      requested_on: "2026-01-10",
      set_by: "user-b1",
    },
  ]);
});
