import { type App, as } from "@tributary/runtime/testing/harness";
import { expect, test, vi } from "vitest";
import { accrued, closing, comes, dayBegins, rests, story, through } from "./fixtures/money-story.ts";
import { partnersWorld } from "./fixtures/partners-world.ts";

vi.setConfig({ testTimeout: 120_000 });

const brand = (app: App) => app.as(as.brand("b1"));
const chargeOf = async (app: App) => {
  const { cycle_id, status } = (await brand(app).get("/api/billing/cycles")).body.items.at(-1);
  const { charges } = (await brand(app).get(`/api/billing/cycles/${cycle_id}`)).body;
  return { ...charges[0], cycle: status };
};
const asked = async (app: App) => brand(app).post((await chargeOf(app)).action_url);
const told = async (app: App) =>
  (await app.events())
    .filter(({ stream }) => stream.startsWith("charge/"))
    .map(({ type, data }) => `${type} ${data.attempt ?? ""}`.trim());

test("a card whose bank asks for its holder waits for the brand, and once they agreed it has paid", async () => {
  const { app, stripe } = await closing("pm_card_visa", "stripe", ["asks the holder"]);
  expect(await chargeOf(app)).toMatchObject({
    status: "requires_action",
    cycle: "charging",
    next_attempt_at: "2026-02-06T11:00:00.000Z",
    attempts: [{ attempt: 1, outcome: "requires_action" }],
  });
  const { action_url, charge_id } = await chargeOf(app);
  expect(action_url).toBe(`/api/billing/charges/${charge_id}/authenticate`);
  expect((await asked(app)).body).toEqual({ url: "https://bank.test/pi_1", status: "requires_action" });
  expect((await app.as(as.brand("b2")).post(action_url)).status).toBe(404);
  expect((await app.as(as.creator("c1")).post(action_url)).status).toBe(403);

  stripe.bankAnswers("pi_1", "succeeds");
  expect((await asked(app)).body).toEqual({ url: null, status: "succeeded" });
  await comes(app, "2026-02-06T11:00:00Z");
  expect(await chargeOf(app)).toMatchObject({ status: "succeeded", action_url: null, next_attempt_at: null });
  expect((await brand(app).post(action_url)).body.code).toBe("no_action_required");
  expect(stripe.sent).toHaveLength(1);
});

test("an attempt nobody agreed to is called off before the next begins, so that the two are never both paid", async () => {
  const { app, stripe } = await closing("pm_card_visa", "stripe", ["asks the holder"]);
  await comes(app, "2026-02-06T11:00:00Z");
  expect(stripe.intents.get("pi_1")?.seen.status).toBe("failed");
  expect(await chargeOf(app)).toMatchObject({ status: "succeeded", action_url: null });
  expect(await told(app)).toEqual([
    "ChargeRequested",
    "ChargeAttemptStarted 1",
    "ChargeActionRequired 1",
    "ChargeFailed 1",
    "ChargeAttemptStarted 2",
    "ChargeSucceeded 2",
  ]);
});

test("an attempt agreed to in the last moment, unheard of, counts when it is to be called off", async () => {
  const { app, stripe } = await closing("pm_card_visa", "stripe", ["asks the holder"]);
  stripe.bankAnswers("pi_1", "succeeds");
  await comes(app, "2026-02-06T11:00:00Z");
  expect(await chargeOf(app)).toMatchObject({ status: "succeeded" });
  expect(stripe.sent).toHaveLength(1);
});

test("the last attempt waits a week for its card holder and is past due then", async () => {
  const outcomes = ["declined", "declined", "declined", "asks the holder"] as const;
  const { app } = await closing("pm_card_visa", "stripe", [...outcomes]);
  for (const day of ["06", "08", "10"]) await comes(app, `2026-02-${day}T11:00:00Z`);
  expect(await chargeOf(app)).toMatchObject({
    status: "requires_action",
    next_attempt_at: "2026-02-17T11:00:00.000Z",
  });
  await comes(app, "2026-02-17T11:00:00Z");
  expect((await chargeOf(app)).status).toBe("past_due");
});

test("a setting-up told as failed before it was, and then as done, is looked at, not believed", async () => {
  const { app, stripe } = await story("2026-01-20T20:00:00Z");
  const { body } = await brand(app).post("/api/payment-methods", { stripe_payment_method_id: "pm_bank" });
  const seen = {
    ...{ setup_intent_id: "seti_2", mandate_id: "mandate_9", verification_method: null, reason: null },
    ...{ brand_id: "b1", stripe_payment_method_id: "pm_bank" },
  };
  stripe.setUps.set("seti_2", { ...seen, status: "pending" });
  const webhook = async (id: string, event_type: string) => {
    const notice = {
      stripe_event_id: id,
      environment: "test",
      event_type,
      object_id: "seti_2",
      account: null,
    };
    const headers = { "stripe-signature": "signed with whsec_1", "content-type": "application/json" };
    await app.as(null).post("/api/webhooks/stripe", JSON.stringify(notice), headers);
    await rests(app);
    return (await brand(app).get("/api/payment-methods")).body.items[0].verification_status;
  };
  expect(await webhook("evt_1", "setup_intent.setup_failed")).toBe("pending");
  stripe.setUps.set("seti_2", { ...seen, status: "verified" });
  expect(await webhook("evt_2", "setup_intent.succeeded")).toBe("verified");
  stripe.setUps.set("seti_2", { ...seen, brand_id: "b2", status: "failed" });
  expect(await webhook("evt_3", "setup_intent.setup_failed")).toBe("verified");
  expect((await app.events()).filter(({ type }) => type === "PaymentMethodVerified")).toMatchObject([
    { data: { payment_method_id: body.payment_method_id, mandate_id: "mandate_9" } },
  ]);
});

test("with Stripe itself the bank asks twice: when the card is added, and when it is charged; both answers come by webhook", async () => {
  const { app, control, url: stripe, comes: both } = await partnersWorld("2026-01-20T20:00:00Z");
  await control("PUT", "/webhooks/modes", { duplicate: 3, shuffle: 7 });
  await dayBegins(app, "2026-01-20");
  const added = await brand(app).post("/api/payment-methods", {
    stripe_payment_method_id: "pm_card_authenticationRequired",
  });
  expect(added.body).toMatchObject({ pm_type: "card", verification_status: "pending" });
  const method = (await app.events()).find(({ type }) => type === "PaymentMethodAdded")!;
  await fetch(`${stripe}/_sandbox/stripe/authenticate/${method.data.setup_intent_id}?auto=complete`);
  await both("2026-01-20T20:01:00Z");
  expect((await brand(app).get("/api/payment-methods")).body.items[0].verification_status).toBe("verified");

  await app.as(as.creator("c1")).put("/api/creator-payment-destinations/me", {
    preferred_method: "paypal",
    paypal_email: "c1@mail.test",
  });
  await app.hear("earning/e1", accrued({ date: "2026-01-18", amount: "20.0000" }));
  await app.hear("accrual/b1", through("2026-02-02"));
  await rests(app);
  await dayBegins(app, "2026-02-03");
  await both("2026-02-03T08:05:00Z");
  expect((await chargeOf(app)).status).toBe("requires_action");
  const { url } = (await asked(app)).body;
  expect((await asked(app)).body.url).toBe(url);
  await fetch(`${url}?auto=complete`, { redirect: "manual" });
  await both("2026-02-03T08:10:00Z");
  expect((await chargeOf(app)).status).toBe("succeeded");
  expect((await control("GET", "/stripe/ledger")).charges).toMatchObject([{ status: "succeeded" }]);
  expect((await control("GET", "/paypal/ledger")).paid).toMatchObject([
    { value: "20.00", status: "SUCCESS" },
  ]);
  expect(await app.held()).toEqual([]);
});
