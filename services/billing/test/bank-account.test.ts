import { type App, as } from "@tributary/runtime/testing/harness";
import { expect, test, vi } from "vitest";
import {
  accrued,
  closing,
  comes,
  dayBegins,
  paidByPaypal,
  pays,
  rests,
  story,
  through,
} from "./fixtures/money-story.ts";
import { partnersWorld } from "./fixtures/partners-world.ts";

vi.setConfig({ testTimeout: 120_000 });

const brand = (app: App) => app.as(as.brand("b1"));
const methods = async (app: App) => {
  await rests(app);
  const { items } = (await brand(app).get("/api/payment-methods")).body;
  return items.map(({ pm_type, verification_status, reason }: Record<string, string | null>) => [
    pm_type,
    verification_status,
    reason,
  ]);
};
const add = (app: App, id: string) =>
  brand(app).post("/api/payment-methods", { stripe_payment_method_id: id });
const webhook = async (app: App, id: string, event_type: string, object_id: string) => {
  const notice = { stripe_event_id: id, environment: "test", event_type, object_id, account: null };
  const headers = { "stripe-signature": "signed with whsec_1", "content-type": "application/json" };
  expect((await app.as(null).post("/api/webhooks/stripe", JSON.stringify(notice), headers)).status).toBe(200);
  await rests(app);
};
const charges = async (app: App) => {
  const { cycle_id } = (await brand(app).get("/api/billing/cycles")).body.items.at(-1);
  return (await brand(app).get(`/api/billing/cycles/${cycle_id}`)).body.charges;
};

test("every refusal of what was seen of the small deposits has a code, and four of them end the verification", async () => {
  const deposits = "payment_method_microdeposit_verification";
  const codes: [string, string, string | null, boolean][] = [
    [`${deposits}_amounts_mismatch`, "amounts_mismatch", "amounts", false],
    [`${deposits}_amounts_invalid`, "amounts_invalid", "amounts", false],
    [`${deposits}_descriptor_code_mismatch`, "descriptor_code_mismatch", "descriptor_code", false],
    [`${deposits}_attempts_exceeded`, "attempts_exceeded", null, true],
    [`${deposits}_timeout`, "timeout", null, true],
    ["payment_method_microdeposit_failed", "microdeposit_failed", null, true],
    ["payment_method_bank_account_blocked", "bank_account_blocked", null, true],
  ];
  const { app, stripe } = await story("2026-01-20T20:00:00Z");
  for (const [theirs, ours, field, ends] of codes) {
    const { payment_method_id: id } = (await add(app, `pm_bank_${ours}`)).body;
    stripe.refusesDeposits = theirs;
    const { status, body } = await brand(app).post(`/api/payment-methods/${id}/verify`, { amounts: [1, 2] });
    expect([status, body.code, body.errors?.[0].field ?? null]).toEqual([422, ours, field]);
    stripe.refusesDeposits = null;
    const again = await brand(app).post(`/api/payment-methods/${id}/verify`, { amounts: [32, 45] });
    expect([again.status, again.body.code ?? again.body.verification_status]).toEqual(
      ends ? [409, "verification_over"] : [200, "verified"],
    );
  }
  expect((await methods(app)).filter(([, status]: string[]) => status === "failed")).toHaveLength(4);
});

test("an account its bank has closed is never debited again; the next attempt goes to what else there is", async () => {
  const { app, stripe } = await closing("pm_bank", "stripe", ["processing"]);
  await pays(app, "b1", "pm_card_visa");
  await comes(app, "2026-02-07T11:00:00Z");
  stripe.bankAnswers("pi_1", "declined", "account_closed");
  for (const id of ["evt_1", "evt_1", "evt_2"])
    await webhook(app, id, "payment_intent.payment_failed", "pi_1");
  expect(await methods(app)).toEqual([
    ["us_bank_account", "failed", "account_closed"],
    ["card", "verified", null],
  ]);
  expect(stripe.sent.map((order) => order.stripe_payment_method_id)).toEqual(["pm_bank", "pm_card_visa"]);
  expect(await charges(app)).toMatchObject([{ status: "succeeded" }]);
});

test("an account short of money is asked again", async () => {
  const { app, stripe } = await closing("pm_bank", "stripe", ["processing"]);
  await pays(app, "b1", "pm_card_visa");
  await comes(app, "2026-02-07T11:00:00Z");
  stripe.bankAnswers("pi_1", "declined", "insufficient_funds");
  await webhook(app, "evt_1", "payment_intent.payment_failed", "pi_1");
  expect(stripe.sent.map((order) => order.stripe_payment_method_id)).toEqual(["pm_bank", "pm_bank"]);
});

test("the end of an older mandate changes nothing, the end of the present one makes the account unusable", async () => {
  const { app, stripe } = await story("2026-01-20T20:00:00Z");
  await pays(app, "b1", "pm_bank");
  await webhook(app, "evt_1", "mandate.updated", "mandate_1");
  expect(await methods(app)).toEqual([["us_bank_account", "verified", null]]);
  stripe.endedMandates.add("mandate_0").add("mandate_1");
  await webhook(app, "evt_2", "mandate.updated", "mandate_0");
  expect(await methods(app)).toEqual([["us_bank_account", "verified", null]]);
  await webhook(app, "evt_3", "mandate.updated", "mandate_1");
  await webhook(app, "evt_4", "mandate.updated", "mandate_1");
  expect(await methods(app)).toEqual([["us_bank_account", "failed", "mandate_inactive"]]);
  expect((await app.events()).filter(({ type }) => type === "PaymentMethodBlocked")).toHaveLength(1);
  const made = await brand(app).post("/api/payment-methods", { stripe_payment_method_id: "pm_card_visa" });
  expect(made.body.is_default).toBe(true);
});

test("with Stripe itself: instant verification, refused deposits, ten days without an answer", async () => {
  const { app, control, url, comes: both } = await partnersWorld("2026-01-20T20:00:00Z");
  await control("PUT", "/webhooks/modes", { duplicate: 3, shuffle: 7 });
  const { client_secret, setup_intent_id } = (await brand(app).post("/api/payment-methods/setup-intent"))
    .body;
  const confirmed = await fetch(`${url}/v1/setup_intents/${setup_intent_id}/confirm`, {
    method: "POST",
    headers: { authorization: "Bearer sk_test_1" },
    body: new URLSearchParams({
      client_secret,
      payment_method: "pm_usBankAccount_success",
      "payment_method_options[us_bank_account][verification_method]": "instant",
      "mandate_data[customer_acceptance][type]": "offline",
    }),
  });
  const { payment_method } = (await confirmed.json()) as { payment_method: string };
  expect((await add(app, payment_method)).body).toMatchObject({
    verification_status: "verified",
    is_default: true,
  });

  const wrong = (await add(app, "pm_usBankAccount_success")).body;
  const verify = async (id: string, seen: object) =>
    (await brand(app).post(`/api/payment-methods/${id}/verify`, seen)).body.code;
  expect(await verify(wrong.payment_method_id, { amounts: [1, 2] })).toBe("amounts_mismatch");
  expect(await verify(wrong.payment_method_id, { descriptor_code: "SM99ZZ" })).toBe(
    "descriptor_code_mismatch",
  );
  expect(await verify(wrong.payment_method_id, { amounts: [10, 11] })).toBe("attempts_exceeded");
  const late = (await add(app, "pm_usBankAccount_success")).body;
  expect(await verify(late.payment_method_id, { descriptor_code: "SM44DD" })).toBe("timeout");
  const bounced = (await add(app, "pm_usBankAccount_failMicrodeposits")).body;
  expect(await verify(bounced.payment_method_id, { amounts: [32, 45] })).toBe("microdeposit_failed");
  await add(app, "pm_usBankAccount_success");
  await both("2026-01-30T11:00:00Z");
  const deposits = "payment_method_microdeposit";
  expect(await methods(app)).toEqual([
    ["us_bank_account", "verified", null],
    ["us_bank_account", "failed", `${deposits}_verification_attempts_exceeded`],
    ["us_bank_account", "failed", `${deposits}_verification_timeout`],
    ["us_bank_account", "failed", `${deposits}_failed`],
    ["us_bank_account", "failed", `${deposits}_verification_timeout`],
  ]);
  expect(await app.held()).toEqual([]);
});

test("with Stripe itself: a debit taken back makes the account unusable until it has been agreed to anew", async () => {
  const { app, control, comes: both, pays: paysThere } = await partnersWorld("2026-01-20T20:00:00Z");
  await control("PUT", "/webhooks/modes", { duplicate: 3, shuffle: 7 });
  await dayBegins(app, "2026-01-20");
  const { stripe_payment_method_id } = await paysThere("b1", "pm_usBankAccount_dispute");
  await paidByPaypal(app, "c1");
  await app.hear("earning/e1", accrued({ date: "2026-01-18", amount: "20.0000" }));
  await app.hear("accrual/b1", through("2026-02-02"));
  await rests(app);
  await dayBegins(app, "2026-02-03");
  await control("POST", "/clock", { to: "2026-02-03T08:04:00Z" });
  for (const day of ["03T08:05", "07T11:00", "08T11:00"]) await both(`2026-02-${day}:00Z`);
  expect(await methods(app)).toEqual([["us_bank_account", "failed", "mandate_inactive"]]);

  const again = (await add(app, stripe_payment_method_id)).body;
  expect(again.verification_status).toBe("pending");
  const verify = `/api/payment-methods/${again.payment_method_id}/verify`;
  expect((await brand(app).post(verify, { amounts: [32, 45] })).status).toBe(200);
  await both("2026-02-09T23:00:00Z");
  expect(await methods(app)).toEqual([["us_bank_account", "verified", null]]);
  expect(await app.held()).toEqual([]);
});
