import { type App, as } from "@tributary/runtime/testing/harness";
import { expect, test } from "vitest";
import { ana, apply, brand, decided, open, pairOf, programId } from "./acme.ts";

const settings = (app: App, rate: number, more: object = {}) =>
  app
    .as(brand)
    .put(`/api/brand-referral-settings/${pairOf("ana")}`, { referral_commission_rate: rate, ...more });

/** Acme with ana as a partner who may refer others at five percent. */
async function referring() {
  const app = await open({ auto_accept_applications: true });
  await apply(app, "ana");
  const code: string = (await settings(app, 5)).body.referral_code;
  return { app, code };
}

test("a partner gets one code for ever; the brand changes its percent and switches it off", async () => {
  const { app, code } = await referring();
  expect(code).toMatch(/^[A-Za-z0-9]{8}$/);
  expect(await settings(app, 7)).toMatchObject({
    body: { referral_code: code, referral_commission_rate: 7 },
  });
  await settings(app, 7);
  expect(await decided(app, "ReferralSettingsSet")).toHaveLength(2);
  expect((await app.as(ana).get(`/api/brand-referral-settings/${pairOf("ana")}`)).body).toMatchObject({
    referral_code: code,
    referral_commission_rate: 7,
    is_active: true,
  });
  expect(await app.as(as.creator("bo")).get(`/api/brand-referral-settings/${pairOf("ana")}`)).toMatchObject({
    status: 404,
  });
  expect(
    await app
      .as(as.brand("b2"))
      .put(`/api/brand-referral-settings/${pairOf("ana")}`, { referral_commission_rate: 90 }),
  ).toMatchObject({ status: 404 });
  expect((await app.as(null).get(`/api/referrals/info/${code}`)).body).toEqual({
    creator_name: "ana",
    referral_commission_rate: 7,
  });
  await settings(app, 7, { is_active: false });
  expect(await app.as(null).get(`/api/referrals/info/${code}`)).toMatchObject({
    status: 404,
    body: { message: "This referral link is invalid or has expired." },
  });
});

test("who joins by a code brings the referrer and the percent of that moment, for good", async () => {
  const { app, code } = await referring();
  expect(await apply(app, "bo", { referral_code: code })).toMatchObject({
    status: 201,
    body: { referrer_creator_id: "ana", referral_percent: 5, referral_code: code },
  });
  await settings(app, 9);
  await apply(app, "cy", { referral_code: code });
  expect(
    (await decided(app, "PartnershipActivated")).map(({ data }) => [
      data.creator_id,
      data.referrer_creator_id,
      data.referral_percent,
    ]),
  ).toEqual(
    expect.arrayContaining([
      ["ana", null, null],
      ["bo", "ana", 5],
      ["cy", "ana", 9],
    ]),
  );
});

test("an application keeps the referrer until the brand's yes", async () => {
  const { app, code } = await referring();
  await app.as(brand).patch(`/api/affiliate-programs/${programId}`, { auto_accept_applications: false });
  await apply(app, "bo", { referral_code: code });
  await settings(app, 9);
  await app.as(brand).patch(`/api/creator-brand-partnerships/${pairOf("bo")}`, { status: "active" });
  const activated = await decided(app, "PartnershipActivated");
  expect(activated.find(({ data }) => data.creator_id === "bo")?.data).toMatchObject({
    referrer_creator_id: "ana",
    referral_percent: 5,
  });
});

test("codes that are unknown, switched off or of an ended partnership refer nobody, and nobody refers themselves", async () => {
  const { app, code } = await referring();
  expect(await apply(app, "bo", { referral_code: "unknown1" })).toMatchObject({
    status: 404,
    body: { code: "referral_not_found" },
  });
  await settings(app, 5, { is_active: false });
  expect(await apply(app, "bo", { referral_code: code })).toMatchObject({ status: 404 });
  await settings(app, 5);
  expect(
    await app.as(ana).post("/api/referrals", { referral_code: code, referred_creator_id: "ana" }),
  ).toMatchObject({ status: 409, body: { code: "self_referral" } });
  expect(
    await app.as(brand).patch(`/api/creator-brand-partnerships/${pairOf("ana")}`, { status: "ended" }),
  ).toMatchObject({ status: 200 });
  expect(await apply(app, "bo", { referral_code: code })).toMatchObject({ status: 404 });
  expect(await apply(app, "bo")).toMatchObject({ status: 201 });
});

test("a creator says once by whose code she came; the first counts", async () => {
  const { app, code } = await referring();
  await apply(app, "cy");
  const second: string = (
    await app.as(brand).put(`/api/brand-referral-settings/${pairOf("cy")}`, { referral_commission_rate: 50 })
  ).body.referral_code;
  const bo = app.as(as.creator("bo"));
  const first = { referral_code: code, referred_creator_id: "bo" };
  const answer = { referrer_creator_id: "ana", referral_commission_rate: 5, brand_id: "b1" };
  expect(await bo.post("/api/referrals", first)).toMatchObject({ status: 201, body: answer });
  expect(await bo.post("/api/referrals", { ...first, referral_code: second })).toMatchObject({
    status: 201,
    body: answer,
  });
  expect(await bo.post("/api/referrals", { ...first, referred_creator_id: "cy" })).toMatchObject({
    status: 404,
  });
  expect(await decided(app, "CreatorReferred")).toHaveLength(1);
});
