import { as } from "@tributary/runtime/testing/harness";
import { expect, test, vi } from "vitest";

import { accrued, dayBegins, rests, through } from "./fixtures/money-story.ts";
import { partnersWorld } from "./fixtures/partners-world.ts";

vi.setConfig({ testTimeout: 120_000 });

test("a month is charged and paid with the partners' own libraries, webhooks shuffled and tripled, and both books agree", async () => {
  const { app, control, comes, pays } = await partnersWorld("2026-01-20T20:00:00Z");
  await control("PUT", "/webhooks/modes", { duplicate: 3, shuffle: 7 });
  await dayBegins(app, "2026-01-20");
  expect(await pays("b1", "pm_card_visa")).toMatchObject({
    verification_status: "verified",
    is_default: true,
  });
  await pays("b2", "pm_card_visa");
  expect(await pays("b3", "pm_usBankAccount_success")).toMatchObject({
    verification_status: "verified",
    bank_name: "STRIPE TEST BANK",
  });
  await pays("b4", "pm_usBankAccount_success");
  const [customers] = [await app.events()];
  const customerOf = (brand: string) =>
    customers.find(({ type, data }) => type === "PaymentCustomerOpened" && data.brand_id === brand)!.data
      .stripe_customer_id;
  await control("PUT", `/stripe/customers/${customerOf("b2")}/script`, { kind: "card_declined_once" });
  await control("PUT", `/stripe/customers/${customerOf("b4")}/script`, { kind: "ach_fails" });

  const onboarding = await app.as(as.creator("c1")).post("/api/creator-payment-methods/stripe-onboarding");
  expect(onboarding.body).toMatchObject({
    url: expect.stringContaining("http"),
    onboarding_status: "incomplete",
  });
  const opened = (await app.events()).find(({ type }) => type === "PayoutAccountOpened")!;
  await control("POST", `/stripe/accounts/${opened.data.stripe_account_id}/complete`);
  await comes("2026-01-20T20:01:00Z");
  expect((await app.as(as.creator("c1")).get("/api/creator-payment-methods/me")).body).toMatchObject({
    preferred_method: "stripe",
    onboarding_status: "complete",
    payouts_enabled: true,
  });
  await app.as(as.creator("c2")).put("/api/creator-payment-destinations/me", {
    preferred_method: "paypal",
    paypal_email: "c2@mail.test",
  });
  await app
    .as(as.creator("c3"))
    .put("/api/creator-payment-destinations/me", { preferred_method: "venmo", venmo_handle: "@venmo-c3" });

  for (const brand of ["b1", "b2", "b3", "b4"]) {
    for (const [creator, amount] of [
      ["c1", "30.1250"],
      ["c2", "41.8840"],
      ["c3", "12.0000"],
    ] as const) {
      const earning = `${brand}${creator}`;
      await app.hear(`earning/${earning}`, accrued({ earning, brand, creator, date: "2026-01-18", amount }));
    }
    await app.hear(`accrual/${brand}`, through("2026-02-02", brand));
  }
  await rests(app);
  await dayBegins(app, "2026-02-03");
  await comes("2026-02-03T08:05:00Z");
  const statuses = async () => {
    const { body } = await app.as(as.admin()).get("/api/billing/result");
    return body.cycles[0].lines.map(
      (line: Record<string, string>) =>
        `${line.brand_id} ${line.creator_id} ${line.charge_status} ${line.paid}`,
    );
  };
  expect(await statuses()).toEqual([
    "b1 c1 succeeded 30.13",
    "b1 c2 succeeded 41.88",
    "b1 c3 succeeded 12.00",
    "b2 c1 failed 0.00",
    "b2 c2 failed 0.00",
    "b2 c3 failed 0.00",
    "b3 c1 processing 0.00",
    "b3 c2 processing 0.00",
    "b3 c3 processing 0.00",
    "b4 c1 processing 0.00",
    "b4 c2 processing 0.00",
    "b4 c3 processing 0.00",
  ]);
  for (const day of ["06", "07", "08", "11", "15", "19"]) await comes(`2026-02-${day}T11:00:00Z`);
  expect(await statuses()).toEqual([
    "b1 c1 succeeded 30.13",
    "b1 c2 succeeded 41.88",
    "b1 c3 succeeded 12.00",
    "b2 c1 succeeded 30.13",
    "b2 c2 succeeded 41.88",
    "b2 c3 succeeded 12.00",
    "b3 c1 succeeded 30.13",
    "b3 c2 succeeded 41.88",
    "b3 c3 succeeded 12.00",
    "b4 c1 past_due 0.00",
    "b4 c2 past_due 0.00",
    "b4 c3 past_due 0.00",
  ]);

  const ours = (await app.as(as.admin()).get("/api/billing/reconciliation")).body;
  expect(ours).toMatchObject({ ledger_sum: "0.0000", difference: "0.0000" });
  const stripe = await control("GET", "/stripe/ledger");
  const paypal = await control("GET", "/paypal/ledger");
  expect(stripe.sum).toBe(0);
  const succeeded = stripe.charges.filter(({ status }: { status: string }) => status === "succeeded");
  const theirs = succeeded.map((charge: Record<string, unknown>) => [
    charge.payment_intent,
    charge.amount_cents,
    charge.fee_cents,
    charge.status,
  ]);
  const cents = (text: string) => Number(text.replace(".", ""));
  const known = ours.charges
    .filter(({ status }: { status: string }) => status === "succeeded")
    .map((charge: Record<string, string>) => [
      charge.stripe_payment_intent_id,
      cents(charge.gross!),
      cents(charge.fee!),
      "succeeded",
    ]);
  expect(known.sort()).toEqual(theirs.sort());
  expect(stripe.charges).toHaveLength(2 + 4 + 2 + 8);
  const paid = ours.payouts.filter(({ rail }: { rail: string }) => rail !== "stripe");
  expect(
    paid.map((payout: Record<string, string>) => [payout.payout_id, payout.amount, payout.status]).sort(),
  ).toEqual(
    paypal.paid.map((item: Record<string, string>) => [item.sender_item_id, item.value, "succeeded"]).sort(),
  );
  expect(paid).toHaveLength(6);
  expect(ours.ledger).toMatchObject({ cash_paypal: "-163.1400" });
  const inbox = (await app.events()).filter(({ stream }) => stream.startsWith("stripe-event/"));
  expect(new Set(inbox.map(({ stream, type }) => `${stream} ${type}`)).size).toBe(inbox.length);
  expect(await app.held()).toEqual([]);
});

test("answers lost after the partner did its work, outages and spoilt answers cost nothing twice", async () => {
  const { app, control, comes, pays } = await partnersWorld("2026-01-20T20:00:00Z");
  await dayBegins(app, "2026-01-20");
  await pays("b1", "pm_card_visa");
  await app.as(as.creator("c2")).put("/api/creator-payment-destinations/me", {
    preferred_method: "paypal",
    paypal_email: "c2@mail.test",
  });
  await app.hear("earning/e1", accrued({ creator: "c2", date: "2026-01-18", amount: "41.8840" }));
  await app.hear("accrual/b1", through("2026-02-02"));
  await rests(app);
  await dayBegins(app, "2026-02-03");
  const payments = { partner: "stripe", method: "POST", path_regex: "payment_intents$" };
  const payouts = { partner: "paypal", method: "POST", path_regex: "payments/payouts$" };
  await control("POST", "/faults", { ...payments, times: 4, action: "reset_after" });
  await control("POST", "/faults", { ...payouts, times: 1, action: { status: 503 } });
  await control("POST", "/faults", { ...payouts, times: 1, action: "reset_after" });
  await control("POST", "/faults", { partner: "paypal", method: "GET", times: 1, action: "truncate" });
  await comes("2026-02-03T08:05:00Z");

  const stripe = await control("GET", "/stripe/ledger");
  const paypal = await control("GET", "/paypal/ledger");
  expect(stripe.charges).toMatchObject([{ amount_cents: 4370, status: "succeeded" }]);
  expect(paypal.paid).toMatchObject([{ value: "41.88", status: "SUCCESS" }]);
  const { body } = await app.as(as.creator("c2")).get("/api/earnings/payouts");
  expect(body.items).toMatchObject([{ amount: "41.88", status: "succeeded" }]);
  const { faults } = await control("GET", "/faults");
  expect(faults.map(({ fired }: { fired: number }) => fired)).toEqual([4, 1, 1, 1]);
});
