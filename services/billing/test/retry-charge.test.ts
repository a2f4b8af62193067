import { type App, as } from "@tributary/runtime/testing/harness";
import { expect, test } from "vitest";
import type { FakeStripe } from "./fixtures/fake-stripe.ts";
import { closing, comes, pays, rests } from "./fixtures/money-story.ts";

const brand = (app: App) => app.as(as.brand("b1"));
const chargeOf = async (app: App) => {
  const { cycle_id } = (await brand(app).get("/api/billing/cycles")).body.items.at(-1);
  return (await brand(app).get(`/api/billing/cycles/${cycle_id}`)).body.charges[0];
};
const retry = async (app: App, body: object = {}) =>
  brand(app).post(`/api/billing/charges/${(await chargeOf(app)).charge_id}/retry`, body);
const sent = (stripe: FakeStripe) =>
  stripe.sent.map(({ attempt, stripe_payment_method_id }) => [attempt, stripe_payment_method_id]);
const declined = (times: number) => Array.from({ length: times }, () => "declined" as const);

test("a failed charge is tried again when its brand asks, and pays the creator once", async () => {
  const { app, stripe } = await closing("pm_card_visa", "stripe", ["declined"]);
  const answered = await retry(app);
  expect([answered.status, answered.body]).toMatchObject([202, { status: "processing", attempt: 2 }]);
  await rests(app);
  expect(await chargeOf(app)).toMatchObject({ status: "succeeded", next_attempt_at: null });
  await comes(app, "2026-02-06T11:00:00Z");
  expect(sent(stripe)).toEqual([
    [1, "pm_card_visa"],
    [2, "pm_card_visa"],
  ]);
  expect((await app.as(as.creator("c1")).get("/api/earnings/payouts")).body.items).toHaveLength(1);
  expect((await app.events()).filter(({ type }) => type === "ChargeRetryRequested")).toMatchObject([
    { data: { attempt: 2, payment_method_id: null } },
  ]);
});

test("an attempt asked for by hand takes none of the schedule's away", async () => {
  const { app, stripe } = await closing("pm_card_visa", "stripe", declined(6));
  await retry(app);
  await rests(app);
  expect(await chargeOf(app)).toMatchObject({
    status: "failed",
    next_attempt_at: "2026-02-06T11:00:00.000Z",
  });
  for (const day of ["06", "08", "10"]) await comes(app, `2026-02-${day}T11:00:00Z`);
  expect((await chargeOf(app)).status).toBe("past_due");
  expect(stripe.sent).toHaveLength(5);

  await retry(app);
  await rests(app);
  expect((await chargeOf(app)).status).toBe("past_due");
  await retry(app);
  await rests(app);
  expect((await chargeOf(app)).status).toBe("succeeded");
  expect(stripe.sent.map(({ idempotency_key }) => idempotency_key).at(-1)).toBe("chg:2026-01:b1:c1:a7");
});

test("only a failed or past-due charge of one's own is tried again, and of two askers one begins the attempt", async () => {
  const { app, stripe } = await closing("pm_bank", "stripe", ["processing", "processing"]);
  expect([(await retry(app)).status, (await retry(app)).body.code]).toEqual([409, "not_retriable"]);
  await comes(app, "2026-02-04T11:00:00Z");
  stripe.bankAnswers("pi_1", "declined");
  await comes(app, "2026-02-05T09:00:00Z");
  const { charge_id } = await chargeOf(app);
  const url = `/api/billing/charges/${charge_id}/retry`;
  expect((await app.as(as.brand("b2")).post(url, {})).status).toBe(404);
  expect((await app.as(as.creator("c1")).post(url, {})).status).toBe(403);
  expect((await app.as(as.nobody).post(url, {})).status).toBe(401);
});

test("two who ask at once begin one attempt", async () => {
  const { app, stripe } = await closing("pm_card_visa", "stripe", ["declined"]);
  const both = await Promise.all([retry(app), retry(app)]);
  expect(both.map(({ status }) => status).sort()).toEqual([202, 409]);
  await rests(app);
  expect(stripe.sent).toHaveLength(2);
});

test("from the second attempt on the backup is charged, as the kind of method it is, for the amount asked at the close", async () => {
  const { app, stripe } = await closing("pm_card_visa", "stripe", ["declined"]);
  await pays(app, "b1", "pm_bank");
  const { items } = (await brand(app).get("/api/payment-methods")).body;
  const bank = items.find((item: { pm_type: string }) => item.pm_type === "us_bank_account");
  const marked = await brand(app).patch(`/api/payment-methods/${bank.payment_method_id}`, {
    is_default_for_type: true,
  });
  expect(marked.body).toMatchObject({ is_default: false, is_default_for_type: true });
  await comes(app, "2026-02-06T11:00:00Z");
  expect(stripe.sent).toMatchObject([
    { pm_type: "card", amount_grossed_cents: 2091n, statement_descriptor_suffix: "TRIBUTARY 2026-01" },
    {
      stripe_payment_method_id: "pm_bank",
      pm_type: "us_bank_account",
      amount_grossed_cents: 2091n,
      statement_descriptor: "TRIBUTARY 2026-01",
      statement_descriptor_suffix: null,
      mandate_id: "mandate_1",
    },
  ]);
});

test("the brand may name the method of a retry, of its own and verified", async () => {
  const { app, stripe } = await closing("pm_card_visa", "stripe", ["declined"]);
  await pays(app, "b1", "pm_card_other");
  const unknown = await retry(app, { payment_method_id: "pm_of_nobody" });
  expect([unknown.status, unknown.body.errors]).toMatchObject([422, [{ field: "payment_method_id" }]]);
  const { items } = (await brand(app).get("/api/payment-methods")).body;
  const other = items.find(
    (item: { stripe_payment_method_id: string }) => item.stripe_payment_method_id === "pm_card_other",
  );
  await retry(app, { payment_method_id: other.payment_method_id });
  await rests(app);
  expect(sent(stripe).at(-1)).toEqual([2, "pm_card_other"]);
});
