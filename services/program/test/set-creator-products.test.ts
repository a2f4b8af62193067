import { asDay } from "@tributary/contracts/dates";
import { DayBegan } from "@tributary/contracts/events/day";
import { PartnershipActivated, PartnershipRequested } from "@tributary/contracts/events/program";
import { type App, as, given } from "@tributary/runtime/testing/harness";
import { expect, test } from "vitest";
import { program } from "../src/main.ts";
import { partnership } from "../src/partnership.ts";
import { ana, apply, brand, catalogBegins, decided, open, pairOf, percentSet, programId } from "./acme.ts";

const set = (app: App, ...items: object[]) =>
  app.as(brand).put(`/api/creator-products/${pairOf("ana")}`, { items });
const fees = async (app: App) =>
  (await decided(app, "CreatorFeeAgreed", "CreatorFeeChangeCancelled")).map(({ type, data }) => [
    type,
    data.percent,
    data.effective_from,
  ]);
const on = async (app: App, day: string) => {
  app.clock.set(`${day}T20:00:00Z`);
  await catalogBegins(app, day);
};
async function partnered(): Promise<App> {
  const app = await open({ auto_accept_applications: true });
  await apply(app, "ana");
  return app;
}

test("a private fee above the product's begins tomorrow, one below it after fourteen days", async () => {
  const app = await partnered();
  await set(app, { product_id: "mug", affiliate_fee: 30 });
  await on(app, "2026-01-11");
  await set(app, { product_id: "mug", affiliate_fee: 25 });
  expect(await fees(app)).toEqual([
    ["CreatorFeeAgreed", 30, "2026-01-11"],
    ["CreatorFeeAgreed", 25, "2026-01-25"],
  ]);
  expect((await app.as(ana).get("/api/creator-products/b1")).body.items).toMatchObject([
    {
      affiliate_fee: 30,
      is_private: true,
      commission_perc: 20,
      pending: { percent: 25, effective_from: "2026-01-25" },
    },
  ]);
});

test("while no private fee is in force, the product's percent of that day is what counts", async () => {
  const app = await partnered();
  await percentSet(app, "mug", 40, "2026-01-10", "2026-01-11");
  await on(app, "2026-01-11");
  await set(app, { product_id: "mug", affiliate_fee: 40 });
  expect(await fees(app)).toEqual([]);
  await set(app, { product_id: "mug", affiliate_fee: 30 });
  expect(await fees(app)).toEqual([["CreatorFeeAgreed", 30, "2026-01-25"]]);
});

test("asking for the fee in force takes back what was to come; an empty fee asks for the product's own", async () => {
  const app = await partnered();
  await set(app, { product_id: "mug", affiliate_fee: null });
  expect(await fees(app)).toEqual([]);
  await set(app, { product_id: "mug", affiliate_fee: 30 });
  await set(app, { product_id: "mug", affiliate_fee: null });
  expect((await fees(app)).at(-1)?.[0]).toBe("CreatorFeeChangeCancelled");
  await set(app, { product_id: "mug", affiliate_fee: 30 });
  await on(app, "2026-01-11");
  await set(app, { product_id: "mug", affiliate_fee: null });
  expect((await fees(app)).at(-1)).toEqual(["CreatorFeeAgreed", 20, "2026-01-25"]);
});

test("a private fee waits until catalog has begun the day too", async () => {
  const app = await partnered();
  app.clock.set("2026-01-11T20:00:00Z");
  await app.settled();
  const early = await set(app, { product_id: "mug", affiliate_fee: 30 });
  expect(early).toMatchObject({ status: 503, body: { code: "fees_not_heard" } });
  expect(early.headers["retry-after"]).toBe("5");
  expect(await set(app, { product_id: "mug", status: "paused" })).toMatchObject({ status: 200 });
  await app.hear("day/0", DayBegan.catalog({ date: asDay("2026-01-11") }));
  await app.settled();
  expect(await set(app, { product_id: "mug", affiliate_fee: 30 })).toMatchObject({ status: 503 });
  await catalogBegins(app, "2026-01-11");
  expect(await set(app, { product_id: "mug", affiliate_fee: 30 })).toMatchObject({ status: 200 });
});

test("the brand grants, pauses and removes its own products, of active partners only", async () => {
  const app = await partnered();
  await set(app, { product_id: "pan" }, { product_id: "mug", status: "removed" });
  expect((await app.as(ana).get("/api/creator-products/b1")).body.items).toMatchObject([
    { product_id: "mug", status: "removed" },
    { product_id: "pan", status: "active", affiliate_fee: 15 },
  ]);
  expect(await set(app, { product_id: "foreign" })).toMatchObject({ status: 422 });
  expect(await set(app, { product_id: "mug" }, { product_id: "mug" })).toMatchObject({ status: 422 });
  expect(
    await app
      .as(as.brand("b2"))
      .put(`/api/creator-products/${pairOf("ana")}`, { items: [{ product_id: "mug" }] }),
  ).toMatchObject({ status: 404 });
  await app.as(brand).patch(`/api/creator-brand-partnerships/${pairOf("ana")}`, { status: "ended" });
  expect(await set(app, { product_id: "mug", affiliate_fee: 30 })).toMatchObject({ status: 409 });
  expect(
    (await app.as(brand).get(`/api/creator-brand-partnerships/${pairOf("ana")}/products`)).body,
  ).toMatchObject({ status: "ended", items: [{ product_id: "mug" }, { product_id: "pan" }] });
});

test("what a program takes up, its partners may promote too; what they were not given at first stays away", async () => {
  const app = await open();
  await app.as(brand).put(`/api/affiliate-programs/${programId}/products`, { productIds: ["mug", "pan"] });
  await apply(app, "ana");
  await apply(app, "bo");
  const yes = (who: string, more: object = {}) =>
    app.as(brand).patch(`/api/creator-brand-partnerships/${pairOf(who)}`, { status: "active", ...more });
  await yes("ana", { product_ids: ["pan"] });
  await app.as(brand).put(`/api/affiliate-programs/${programId}/products`, { productIds: ["pan"] });
  await yes("bo");
  await app.as(brand).put(`/api/affiliate-programs/${programId}/products`, { productIds: ["pan", "mug"] });
  await app.settled();
  const granted = async () =>
    (await decided(app, "CreatorProductGranted"))
      .map(({ data }) => `${data.creator_id}:${data.product_id}`)
      .sort();
  expect(await granted()).toEqual(["ana:mug", "ana:pan", "bo:mug", "bo:pan"]);
  expect(await app.heardTwiceFromZero()).toEqual({ events: 0, calls: 0, held: [] });
});

test("a partner who was given a choice is granted what is new, not what was left out", async () => {
  const app = await open();
  const choose = (...productIds: string[]) =>
    app.as(brand).put(`/api/affiliate-programs/${programId}/products`, { productIds });
  await choose("mug", "pan");
  await apply(app, "ana");
  await app
    .as(brand)
    .patch(`/api/creator-brand-partnerships/${pairOf("ana")}`, { status: "active", product_ids: ["pan"] });
  await choose("mug", "pan", "pot");
  await app.settled();
  const granted = await decided(app, "CreatorProductGranted");
  expect(granted.map(({ data }) => data.product_id).sort()).toEqual(["pan", "pot"]);
});

test("hearing old choices again gives nobody what they were not given when they joined", async () => {
  const app = await open();
  await app.as(brand).put(`/api/affiliate-programs/${programId}/products`, { productIds: ["mug", "pan"] });
  await apply(app, "ana");
  await app
    .as(brand)
    .patch(`/api/creator-brand-partnerships/${pairOf("ana")}`, { status: "active", product_ids: ["pan"] });
  await app.settled();
  expect(await app.heardTwiceFromZero()).toEqual({ events: 0, calls: 0, held: [] });
  expect(await decided(app, "CreatorProductGranted")).toMatchObject([{ data: { product_id: "pan" } }]);
});

test("a product nobody has heard of is never priced by guessing", async () => {
  const app = await given(program, { now: "2026-01-10T20:00:00Z" });
  const parties = { partnership_id: pairOf("ana"), creator_id: "ana", brand_id: "b1" };
  const came = {
    ...parties,
    source_program_id: programId,
    referrer_creator_id: null,
    referral_percent: null,
  };
  await app.happened(
    partnership.at(pairOf("ana")),
    PartnershipRequested({ ...came, referral_code: null }),
    PartnershipActivated({ ...came, commission_base: "total", started_on: asDay("2026-01-10") }),
  );
  expect(await set(app, { product_id: "mug", affiliate_fee: 30 })).toMatchObject({ status: 422 });
});
