import { as } from "@tributary/runtime/testing/harness";
import { expect, test } from "vitest";
import { pays, rests, story } from "./fixtures/money-story.ts";

const now = "2026-01-20T20:00:00Z";

test("a brand's first card becomes its default, is told once however often it is added, and stays while it is the only one", async () => {
  const { app } = await story(now);
  const brand = app.as(as.brand("b1"));
  expect((await brand.get("/api/payment-methods")).body).toEqual({ items: [] });
  const card = await brand.post("/api/payment-methods", { stripe_payment_method_id: "pm_card_visa" });
  expect([card.status, card.body]).toMatchObject([
    201,
    { pm_type: "card", bank_last4: "4242", is_default: true, verification_status: "verified" },
  ]);
  await brand.post("/api/payment-methods", { stripe_payment_method_id: "pm_card_visa" });
  expect((await brand.get("/api/payment-methods")).body.items).toHaveLength(1);
  const removed = await brand.delete(`/api/payment-methods/${card.body.payment_method_id}`);
  expect([removed.status, removed.body.code]).toEqual([409, "last_payment_method"]);
});

test("a bank account can't be the default before its deposits were seen", async () => {
  const { app } = await story(now);
  await pays(app, "b1");
  const brand = app.as(as.brand("b1"));
  const bank = (await brand.post("/api/payment-methods", { stripe_payment_method_id: "pm_bank" })).body;
  expect(bank).toMatchObject({ verification_status: "pending", is_default: false });
  const url = `/api/payment-methods/${bank.payment_method_id}`;
  expect((await brand.patch(url, { is_default: true })).body.code).toBe("not_verified");
  expect((await brand.post(`${url}/verify`, { amounts: [32] })).body.code).toBe("verification_incomplete");
  expect((await brand.post(`${url}/verify`, { amounts: [32, 45] })).body.verification_status).toBe(
    "verified",
  );
  expect((await brand.patch(url, { is_default: true })).body.is_default).toBe(true);
  const { items } = (await brand.get("/api/payment-methods")).body;
  expect(
    items.map((item: { pm_type: string; is_default: boolean }) => [item.pm_type, item.is_default]),
  ).toEqual([
    ["card", false],
    ["us_bank_account", true],
  ]);
  expect((await brand.delete(`/api/payment-methods/${items[0].payment_method_id}`)).body.items).toHaveLength(
    1,
  );
});

test("a method of another customer doesn't exist, and neither do another brand's", async () => {
  const { app } = await story(now);
  await pays(app, "b1");
  const stranger = app.as(as.brand("b2"));
  expect(
    (await stranger.post("/api/payment-methods", { stripe_payment_method_id: "pm_stranger" })).status,
  ).toBe(404);
  const { items } = (await app.as(as.brand("b1")).get("/api/payment-methods")).body;
  expect((await stranger.delete(`/api/payment-methods/${items[0].payment_method_id}`)).status).toBe(404);
  expect((await stranger.get("/api/payment-methods")).body).toEqual({ items: [] });
  expect((await app.as(as.creator("c1")).get("/api/payment-methods")).status).toBe(403);
  expect((await app.as(as.nobody).get("/api/payment-methods")).status).toBe(401);
});

test("a browser gets what it needs to collect a card", async () => {
  const { app } = await story(now);
  const got = await app.as(as.brand("b1")).post("/api/payment-methods/setup-intent");
  expect([got.status, got.body]).toEqual([
    201,
    { setup_intent_id: "seti_1", client_secret: "seti_1_secret" },
  ]);
});

test("a creator says where to be paid, and what is missing is named", async () => {
  const { app } = await story(now);
  const creator = app.as(as.creator("c1"));
  expect((await creator.get("/api/creator-payment-methods/me")).body).toMatchObject({
    preferred_method: "none",
    onboarding_status: "not_started",
  });
  const empty = await creator.put("/api/creator-payment-destinations/me", { preferred_method: "paypal" });
  expect([empty.status, empty.body.errors]).toMatchObject([422, [{ field: "paypal_email" }]]);
  expect(
    (
      await creator.put("/api/creator-payment-destinations/me", {
        preferred_method: "venmo",
        venmo_handle: "no",
      })
    ).status,
  ).toBe(400);
  expect(
    (
      await creator.put("/api/creator-payment-destinations/me", {
        preferred_method: "paypal",
        creator_id: "c2",
      })
    ).status,
  ).toBe(400);
  expect(
    (await creator.put("/api/creator-payment-destinations/me", { preferred_method: "stripe" })).status,
  ).toBe(422);
  await creator.put("/api/creator-payment-destinations/me", {
    preferred_method: "venmo",
    venmo_handle: "@my-venmo",
  });
  await creator.put("/api/creator-payment-destinations/me", {
    preferred_method: "paypal",
    paypal_email: "c1@mail.test",
  });
  await creator.put("/api/creator-payment-destinations/me", { preferred_method: "venmo" });
  expect((await creator.get("/api/creator-payment-methods/me")).body).toMatchObject({
    preferred_method: "venmo",
    venmo_handle: "my-venmo",
    paypal_email: "c1@mail.test",
  });
});

test("a creator is sent to Stripe once, and Stripe's word of the account is what counts", async () => {
  const { app, stripe } = await story(now);
  const creator = app.as(as.creator("c1"));
  const first = await creator.post("/api/creator-payment-methods/stripe-onboarding");
  expect(first.body).toEqual({ url: "https://connect.stripe.test/acct_c1", onboarding_status: "incomplete" });
  stripe.onboarded("acct_c1");
  const notice = {
    stripe_event_id: "evt_1",
    environment: "test",
    event_type: "account.updated",
    object_id: "acct_c1",
    account: "acct_c1",
  };
  const told = await app.as(as.nobody).post("/api/webhooks/stripe-connect", JSON.stringify(notice), {
    "stripe-signature": "signed with whsec_2",
    "content-type": "application/json",
  });
  expect(told.status).toBe(200);
  await rests(app);
  expect((await creator.get("/api/creator-payment-methods/me")).body).toMatchObject({
    preferred_method: "stripe",
    onboarding_status: "complete",
    payouts_enabled: true,
  });
  expect((await creator.post("/api/creator-payment-methods/stripe-onboarding")).body).toEqual({
    url: null,
    onboarding_status: "complete",
  });
  expect(stripe.accounts.size).toBe(1);
});

test("an account that only claims to be a creator's changes nothing", async () => {
  const { app, stripe } = await story(now);
  await app.as(as.creator("c1")).post("/api/creator-payment-methods/stripe-onboarding");
  stripe.accounts.set("acct_other", { ...stripe.accounts.get("acct_c1")!, stripe_account_id: "acct_other" });
  stripe.onboarded("acct_other");
  const notice = {
    ...{ stripe_event_id: "evt_1", environment: "test", event_type: "account.updated" },
    ...{ object_id: "acct_other", account: "acct_other" },
  };
  await app.as(as.nobody).post("/api/webhooks/stripe-connect", JSON.stringify(notice), {
    "stripe-signature": "signed with whsec_2",
    "content-type": "application/json",
  });
  await rests(app);
  expect((await app.as(as.creator("c1")).get("/api/creator-payment-methods/me")).body).toMatchObject({
    stripe_account_id: "acct_c1",
    payouts_enabled: false,
  });
});
