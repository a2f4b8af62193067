import { as } from "@tributary/runtime/testing/harness";
import { expect, test } from "vitest";
import { ana, apply, brand, decided, open, pairOf, programId } from "./acme.ts";

const path = (creator: string) => `/api/creator-brand-partnerships/${pairOf(creator)}`;

test("the brand's yes starts the partnership that day and grants what the program holds", async () => {
  const app = await open();
  await apply(app, "ana");
  app.clock.set("2026-01-12T20:00:00Z");
  await app.settled();
  expect(await app.as(brand).patch(path("ana"), { status: "active" })).toMatchObject({
    status: 200,
    body: { status: "active", started_on: "2026-01-12" },
  });
  await app.as(brand).patch(path("ana"), { status: "active" });
  expect(await decided(app, "PartnershipActivated")).toHaveLength(1);
  expect(await decided(app, "CreatorProductGranted")).toMatchObject([{ data: { product_id: "mug" } }]);
});

test("with the yes the brand chooses products and a private fee, from its program only", async () => {
  const app = await open();
  await app.as(brand).put(`/api/affiliate-programs/${programId}/products`, { productIds: ["mug", "pan"] });
  await apply(app, "ana");
  const yes = (more: object) => app.as(brand).patch(path("ana"), { status: "active", ...more });
  expect(await yes({ product_ids: ["foreign"] })).toMatchObject({ status: 422 });
  expect(await yes({ product_ids: ["pan"], fees: [{ product_id: "mug", affiliate_fee: 30 }] })).toMatchObject(
    { status: 422, body: { code: "not_in_program" } },
  );
  expect(await yes({ product_ids: ["pan"], fees: [{ product_id: "pan", affiliate_fee: 30 }] })).toMatchObject(
    { status: 200 },
  );
  expect(await decided(app, "CreatorProductGranted", "CreatorFeeAgreed")).toMatchObject([
    { type: "CreatorProductGranted", data: { product_id: "pan", affiliate_fee: 15 } },
    { type: "CreatorFeeAgreed", data: { product_id: "pan", percent: 30, effective_from: "2026-01-11" } },
  ]);
});

test("only the brand answers; a stranger's application doesn't exist", async () => {
  const app = await open();
  await apply(app, "ana");
  expect(await app.as(ana).patch(path("ana"), { status: "active" })).toMatchObject({ status: 403 });
  expect(await app.as(as.brand("b2")).patch(path("ana"), { status: "active" })).toMatchObject({
    status: 404,
  });
  expect(await app.as(as.creator("bo")).patch(path("ana"), { status: "ended" })).toMatchObject({
    status: 404,
  });
});

test("a rejection carries its reason to the creator, and no yes comes after it", async () => {
  const app = await open();
  await apply(app, "ana");
  await app.as(brand).patch(path("ana"), { status: "rejected", reason: "not a fit" });
  expect((await app.as(ana).get("/api/creator-brand-partnerships")).body.items).toMatchObject([
    { status: "rejected", reason: "not a fit", brand_name: "Acme" },
  ]);
  expect(await app.as(brand).patch(path("ana"), { status: "active" })).toMatchObject({ status: 409 });
});

test("either side ends it; nobody begins it again", async () => {
  const app = await open({ auto_accept_applications: true });
  await apply(app, "ana");
  await apply(app, "bo");
  expect(await app.as(ana).patch(path("ana"), { status: "ended", reason: "moved" })).toMatchObject({
    body: { status: "ended", ended_on: "2026-01-10", ended_by: "creator" },
  });
  await app.as(brand).patch(path("bo"), { status: "ended" });
  await app.as(brand).patch(path("bo"), { status: "ended" });
  expect((await decided(app, "PartnershipEnded")).map(({ data }) => data.by).sort()).toEqual([
    "brand",
    "creator",
  ]);
  expect(await apply(app, "ana")).toMatchObject({ status: 409, body: { code: "partnership_ended" } });
  expect(await app.as(brand).patch(path("ana"), { status: "active" })).toMatchObject({ status: 409 });
});

test("an application that is only waiting cannot be ended", async () => {
  const app = await open();
  await apply(app, "ana");
  expect(await app.as(brand).patch(path("ana"), { status: "ended" })).toMatchObject({
    status: 409,
    body: { code: "not_active" },
  });
});

test("a brand sees its applications and creators, a creator her own, by status", async () => {
  const app = await open();
  await apply(app, "ana");
  await apply(app, "bo");
  await app.as(brand).patch(path("bo"), { status: "active" });
  const list = async (who: typeof brand, query = "") =>
    (await app.as(who).get(`/api/creator-brand-partnerships${query}`)).body.items.map(
      (item: { creator_id: string; creator: { name: string } }) => [item.creator_id, item.creator.name],
    );
  expect(await list(brand, "?status=pending")).toEqual([["ana", "ana"]]);
  expect((await list(brand)).sort()).toEqual([
    ["ana", "ana"],
    ["bo", "bo"],
  ]);
  expect(await list(ana)).toEqual([["ana", "ana"]]);
  expect(await list(as.brand("b2"))).toEqual([]);
  expect((await app.as(brand).get("/api/brands/b1/creators?status=active")).body.items).toMatchObject([
    { creator_id: "bo", creator: { name: "bo", total_reach: null } },
  ]);
  expect((await app.as(as.brand("b2")).get("/api/brands/b1/creators")).body.items).toEqual([]);
});
