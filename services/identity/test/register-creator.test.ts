import { ProgramCreated, ProgramEdited } from "@tributary/contracts/events/program";
import { as, given } from "@tributary/runtime/testing/harness";
import { expect, test } from "vitest";
import { identity } from "../src/main.ts";
import { person } from "./people.ts";

const ana = person("ana", "creator");
const creator_id = ana.caller.creator_id!;
const details = { user_id: ana.user_id, name: "Ana", product_categories: ["Baby", "Books"] };
const program = {
  program_id: "p1",
  brand_id: "b1",
  title: "Acme Affiliate Program",
  description: "<p>Join</p>",
  is_visible: true,
  auto_accept_applications: false,
  logo_url: null,
  page_id: "abcde",
};

test("a creator who comes by herself waits for approval, whatever the body says", async () => {
  const app = await given(identity);
  await ana.registered(app);
  expect(
    await app.as(ana.signedUp).post("/api/creators", {
      ...details,
      approved: true,
      fromAffiliateProgramBrand: "b1",
    }),
  ).toMatchObject({ status: 201, body: { id: creator_id, approved: false, approval: "pending" } });
});

test("a creator who comes from a brand's visible program is approved at once", async () => {
  const app = await given(identity);
  await ana.registered(app);
  await app.hear("program/p1", ProgramCreated({ ...program, commission_base: "total" }));
  await app.settled();
  expect(
    await app.as(ana.signedUp).post("/api/creators", { ...details, fromAffiliateProgramBrand: "b1" }),
  ).toMatchObject({ status: 201, body: { approved: true, approval: "approved" } });
});

test("a program that was hidden again approves nobody", async () => {
  const app = await given(identity);
  await ana.registered(app);
  await app.hear(
    "program/p1",
    ProgramCreated({ ...program, commission_base: "total" }),
    ProgramEdited({ ...program, is_visible: false }),
  );
  await app.settled();
  expect(
    await app.as(ana.signedUp).post("/api/creators", { ...details, fromAffiliateProgramBrand: "b1" }),
  ).toMatchObject({ body: { approved: false } });
});

test("one creator per account: said again, it answers the creator there is", async () => {
  const app = await given(identity);
  await ana.registered(app);
  const first = await app.as(ana.signedUp).post("/api/creators", details);
  expect(await app.as(ana.signedUp).post("/api/creators", { ...details, name: "Anna" })).toMatchObject({
    body: first.body,
  });
  expect((await app.events()).map(({ type }) => type)).toEqual(["CreatorRegistered"]);
});

test("a brand's account has no creator, and nobody makes one for somebody else", async () => {
  const app = await given(identity);
  const acme = person("acme", "brand");
  await acme.registered(app);
  await ana.registered(app);
  expect(await app.as(acme.signedUp).post("/api/creators", details)).toMatchObject({ status: 404 });
  expect(
    await app.as(acme.signedUp).post("/api/creators", { ...details, user_id: acme.user_id }),
  ).toMatchObject({ status: 403 });
});

test("a creator names channels and reach, and sees herself whole", async () => {
  const app = await given(identity);
  await ana.registered(app);
  await app.as(ana.signedUp).post("/api/creators", details);
  const me = app.as(ana.caller);
  const channel = { creator_id, channel: "YouTube", channel_link: "youtube.com/@ana" };
  const added = await me.post("/api/creator-channels", channel);
  expect(added).toMatchObject({
    status: 201,
    body: { creator_id, channel: "YouTube", channel_link: "https://youtube.com/@ana" },
  });
  expect(await me.post("/api/creator-channels", channel)).toMatchObject({ body: added.body });
  expect(await me.patch(`/api/creators/${creator_id}`, { total_reach: 100_000 })).toMatchObject({
    status: 200,
    body: { total_reach: 100_000 },
  });
  expect((await me.get("/api/creators/me")).body).toEqual({
    id: creator_id,
    user_id: ana.user_id,
    name: "Ana",
    product_categories: ["Baby", "Books"],
    total_reach: 100_000,
    profile_image_url: null,
    approved: false,
    approval: "pending",
    rejection_reason: null,
    channels: [added.body],
  });
});

test("nobody touches another creator", async () => {
  const app = await given(identity);
  await ana.registered(app);
  await app.as(ana.signedUp).post("/api/creators", details);
  const bo = app.as(as.creator("bo"));
  expect(await bo.patch(`/api/creators/${creator_id}`, { total_reach: 1000 })).toMatchObject({ status: 404 });
  expect(
    await bo.post("/api/creator-channels", { creator_id, channel: "TikTok", channel_link: "t.example" }),
  ).toMatchObject({ status: 404 });
  expect(await bo.get("/api/creators/me")).toMatchObject({ status: 404 });
});

test("a brand sees a creator's profile without the account behind it", async () => {
  const app = await given(identity);
  await ana.registered(app);
  await app.as(ana.signedUp).post("/api/creators", details);
  expect((await app.as(as.brand("b1")).get(`/api/creators/${creator_id}/public`)).body).toEqual({
    id: creator_id,
    name: "Ana",
    product_categories: ["Baby", "Books"],
    total_reach: null,
    profile_image_url: null,
    channels: [],
  });
  expect(await app.as(null).get(`/api/creators/${creator_id}/public`)).toMatchObject({ status: 401 });
});

test("what is missing is said in the words of the form", async () => {
  const app = await given(identity);
  await ana.registered(app);
  const refused = await app
    .as(ana.signedUp)
    .post("/api/creators", { user_id: ana.user_id, name: "A", product_categories: [] });
  expect(refused.body.errors).toEqual([
    { field: "name", message: "Name is required" },
    { field: "product_categories", message: "Please select at least one product category" },
  ]);
});
