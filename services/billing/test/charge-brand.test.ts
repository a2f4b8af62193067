import { type App, as } from "@tributary/runtime/testing/harness";
import { expect, test } from "vitest";
import type { FakeStripe } from "./fixtures/fake-stripe.ts";
import { closing, comes, rests } from "./fixtures/money-story.ts";

const told = async (app: App) =>
  (await app.events())
    .filter(({ stream }) => stream.startsWith("charge/"))
    .map(({ type, data }) => [type, data.attempt ?? null]);
const statusOf = async (app: App) =>
  (await app.as(as.admin()).get("/api/billing/result")).body.cycles[0].lines[0].charge_status;
const keys = (stripe: FakeStripe) => stripe.sent.map(({ idempotency_key }) => idempotency_key);
const webhook = (app: App, id: string, object_id: string, secret = "whsec_1") =>
  app.as(null).post(
    "/api/webhooks/stripe",
    JSON.stringify({
      ...{ stripe_event_id: id, environment: "test", event_type: "payment_intent.succeeded" },
      ...{ object_id, account: null },
    }),
    { "stripe-signature": `signed with ${secret}`, "content-type": "application/json" },
  );

test("a declined card is tried again on day 3 at 03:00 and then succeeds", async () => {
  const { app, stripe } = await closing("pm_card_visa", "stripe", ["declined"]);
  expect(await statusOf(app)).toBe("failed");

  await comes(app, "2026-02-06T10:59:00Z");
  expect(keys(stripe)).toEqual(["chg:2026-01:b1:c1:a1"]);
  await comes(app, "2026-02-06T11:00:00Z");
  expect(keys(stripe)).toEqual(["chg:2026-01:b1:c1:a1", "chg:2026-01:b1:c1:a2"]);
  expect(await statusOf(app)).toBe("succeeded");
});

test("after the attempts of days 0, 3, 5 and 7 a charge is past due, and is never tried again", async () => {
  const { app, stripe } = await closing("pm_card_visa", "stripe", [
    "declined",
    "declined",
    "declined",
    "declined",
  ]);
  for (const day of ["06", "08", "10"]) await comes(app, `2026-02-${day}T11:00:00Z`);
  expect(await statusOf(app)).toBe("past_due");
  await comes(app, "2026-02-25T20:00:00Z");
  expect(stripe.sent).toHaveLength(4);
  expect((await app.as(as.brand("b1")).get("/api/billing/cycles")).body.items.at(-1)).toMatchObject({
    month: "2026-01",
    status: "partially_settled",
    creators_paid: 0,
  });
  expect((await app.as(as.creator("c1")).get("/api/earnings/payouts")).body.items).toEqual([]);
});

test("a bank debit is processing until the bank answers, costs nothing on top, and pays when it has", async () => {
  const { app, stripe, paypal } = await closing("pm_bank", "paypal", ["processing"]);
  expect(await statusOf(app)).toBe("processing");
  expect(stripe.sent).toMatchObject([
    { amount_grossed_cents: 2025n, mandate_id: "mandate_1", statement_descriptor: "TRIBUTARY 2026-01" },
  ]);
  expect(paypal.sent).toEqual([]);

  await comes(app, "2026-02-07T11:00:00Z");
  stripe.bankAnswers("pi_1", "succeeds");
  expect((await webhook(app, "evt_1", "pi_1")).status).toBe(200);
  await rests(app);
  expect(await statusOf(app)).toBe("succeeded");
  expect(paypal.sent).toMatchObject([{ sender_batch_id: "pay:2026-01:b1:c1:a1", amount_cents: 2000n }]);
});

test("a bank that always refuses is asked on days 0, 4, 8 and 12, in the minute of each failure, and past due on day 16", async () => {
  const late = Array.from({ length: 4 }, () => "processing" as const);
  const { app, stripe } = await closing("pm_bank", "stripe", late);
  for (const [n, day] of ["07", "11", "15", "19"].entries()) {
    expect([await statusOf(app), stripe.sent.length]).toEqual(["processing", n + 1]);
    await comes(app, `2026-02-${day}T11:00:00Z`);
    stripe.bankAnswers(`pi_${n + 1}`, "declined");
    await webhook(app, `evt_${n}`, `pi_${n + 1}`);
    await rests(app);
  }
  expect(await statusOf(app)).toBe("past_due");
  expect(keys(stripe).at(-1)).toBe("chg:2026-01:b1:c1:a4");
});

test("all methods are grossed up where the policy says so", async () => {
  const { stripe } = await closing("pm_bank", "stripe", ["processing"], { GROSS_UP: "all" });
  expect(stripe.sent).toMatchObject([{ amount_grossed_cents: 2016n, application_fee_amount_cents: 16n }]);
});

test("an attempt whose answer was lost is looked up, not made again", async () => {
  const { app, stripe } = await closing("pm_card_visa", "stripe", ["answer lost"], {}, true);
  expect(await statusOf(app)).toBe("succeeded");
  expect(stripe.sent).toHaveLength(1);
  expect(await told(app)).toEqual([
    ["ChargeRequested", null],
    ["ChargeAttemptStarted", 1],
    ["ChargeSucceeded", 1],
  ]);
});

test("a webhook heard three times is stored and acted upon once; a forged one is refused", async () => {
  const { app, stripe } = await closing("pm_bank", "stripe", ["processing"]);
  stripe.bankAnswers("pi_1", "succeeds");
  for (let n = 0; n < 3; n++) expect((await webhook(app, "evt_1", "pi_1")).status).toBe(200);
  expect((await webhook(app, "evt_2", "pi_1", "whsec_of_a_thief")).status).toBe(400);
  await rests(app);
  expect((await webhook(app, "evt_3", "pi_1")).status).toBe(200);
  await rests(app);
  expect(await told(app)).toEqual([
    ["ChargeRequested", null],
    ["ChargeAttemptStarted", 1],
    ["ChargeProcessing", 1],
    ["ChargeSucceeded", 1],
  ]);
  const inbox = (await app.events()).filter(({ stream }) => stream.startsWith("stripe-event/"));
  expect(inbox.map(({ stream, type }) => [stream, type])).toEqual([
    ["stripe-event/test:evt_1", "StripeEventReceived"],
    ["stripe-event/test:evt_1", "WebhookProcessed"],
    ["stripe-event/test:evt_3", "StripeEventReceived"],
    ["stripe-event/test:evt_3", "WebhookProcessed"],
  ]);
});

test("a debit nobody tells us about is looked up after five days", async () => {
  const { app, stripe } = await closing("pm_bank", "stripe", ["processing"]);
  stripe.bankAnswers("pi_1", "succeeds");
  await comes(app, "2026-02-08T08:06:00Z");
  expect(await statusOf(app)).toBe("succeeded");
});
