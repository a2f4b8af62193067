import { as } from "@tributary/runtime/testing/harness";
import { expect, test } from "vitest";
import { ana, apply, brand, creatorHeard, decided, open, pairOf, programId } from "./acme.ts";

test("a creator who applies waits for the brand's answer", async () => {
  const app = await open();
  expect(await apply(app, "ana")).toMatchObject({
    status: 201,
    body: { id: pairOf("ana"), status: "pending", started_by: "creator", started_on: null },
  });
  expect(await decided(app, "PartnershipRequested", "PartnershipActivated")).toMatchObject([
    {
      type: "PartnershipRequested",
      stream: `partnership/${pairOf("ana")}`,
      data: { referral_code: null, referrer_creator_id: null },
    },
  ]);
});

test("a program that auto-accepts starts the partnership at once, its products included", async () => {
  const app = await open({ auto_accept_applications: true });
  expect(await apply(app, "ana")).toMatchObject({
    body: { status: "active", started_on: "2026-01-10" },
  });
  expect(await decided(app, "PartnershipActivated", "CreatorProductGranted")).toMatchObject([
    { type: "CreatorProductGranted", data: { product_id: "mug", affiliate_fee: 20, creator_id: "ana" } },
    { type: "PartnershipActivated", data: { started_on: "2026-01-10", commission_base: "total" } },
  ]);
  expect((await app.as(ana).get("/api/creator-products/b1")).body).toMatchObject({
    partnership_id: pairOf("ana"),
    status: "active",
    items: [{ product_id: "mug", affiliate_fee: 20, is_private: false, title: "mug", price: "19.99" }],
  });
});

test("asking twice is refused, and a partnership exists from the first asking on", async () => {
  const app = await open();
  expect(await app.as(ana).get("/api/creator-products/b1")).toMatchObject({ status: 404 });
  await apply(app, "ana");
  expect(await apply(app, "ana")).toMatchObject({ status: 409, body: { code: "already_applied" } });
  expect(await app.as(ana).get("/api/creator-products/b1")).toMatchObject({
    status: 200,
    body: { status: "pending", items: [] },
  });
});

test("of the same application sent ten times at once, one stands", async () => {
  const app = await open({ auto_accept_applications: true });
  const answers = await Promise.all(Array.from({ length: 10 }, () => apply(app, "ana")));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(409)]);
  expect(await decided(app, "PartnershipActivated")).toHaveLength(1);
});

test("nobody applies for somebody else, to a hidden program, or with a brand that isn't the program's", async () => {
  const app = await open();
  expect(await apply(app, "ana", { creator_id: "bo" })).toMatchObject({ status: 404 });
  expect(await apply(app, "ana", { brand_id: "b2" })).toMatchObject({ status: 404 });
  expect(await apply(app, "ana", { source_program_id: "none" })).toMatchObject({ status: 404 });
  await app.as(brand).patch(`/api/affiliate-programs/${programId}`, { is_visible: false });
  expect(await apply(app, "ana")).toMatchObject({
    status: 409,
    body: { code: "program_closed", message: "This brand is not accepting affiliates right now" },
  });
});

test("a creator who isn't approved applies only where she signed up from", async () => {
  const app = await open();
  await creatorHeard(app, "dee", false, "b1");
  await creatorHeard(app, "eve", false, "b2");
  await app.settled();
  const asked = (creator_id: string) =>
    app.as(as.creator(creator_id, { approved: false })).post("/api/creator-brand-partnerships", {
      creator_id,
      brand_id: "b1",
      source_program_id: programId,
    });
  expect(await asked("dee")).toMatchObject({ status: 201 });
  expect(await asked("eve")).toMatchObject({ status: 403, body: { code: "not_approved" } });
});

test("who was turned down may ask again after thirty days", async () => {
  const app = await open();
  await apply(app, "ana");
  await app.as(brand).patch(`/api/creator-brand-partnerships/${pairOf("ana")}`, { status: "rejected" });
  expect(await apply(app, "ana")).toMatchObject({ status: 409, body: { code: "rejected" } });
  app.clock.set("2026-02-09T20:00:00Z");
  await app.settled();
  expect(await apply(app, "ana")).toMatchObject({ status: 201, body: { status: "pending" } });
});
