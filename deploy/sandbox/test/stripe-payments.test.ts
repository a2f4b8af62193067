import type Stripe from "stripe";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { brandWith, charge, paidCreator, type StripeWorld, stripeWorld } from "./stripe-world.ts";

let world: StripeWorld;
let stripe: Stripe;
beforeEach(async () => {
  world = await stripeWorld();
  stripe = world.stripe;
});
afterEach(() => world.close());

async function refusal(asked: Promise<unknown>): Promise<Record<string, unknown>> {
  const error = await asked.then(
    () => undefined,
    (error: unknown) => error as { statusCode: number; raw: object; type: string },
  );
  if (!error) throw new Error("it was not refused");
  return { ...error.raw, status: error.statusCode, class: error.type };
}

async function ledger() {
  const { body } = await world.control("GET", "/_sandbox/stripe/ledger");
  return body as unknown as {
    balances: Record<string, number>;
    sum: number;
    charges: Record<string, unknown>[];
  };
}

describe("a card", () => {
  test("pays at once; Stripe's fee is the platform's, the creator gets what is meant for them", async () => {
    const brand = await brandWith(stripe, "pm_card_visa");
    const destination = await paidCreator(world);
    const intent = await stripe.paymentIntents.create({
      ...charge(brand, 3134, { destination, net: 3013 }),
      expand: ["latest_charge.balance_transaction", "customer"],
    });
    expect(intent).toMatchObject({
      status: "succeeded",
      amount_received: 3134,
      application_fee_amount: 121,
      customer: { id: brand.customer, email: "brand@example.com" },
      latest_charge: {
        status: "succeeded",
        balance_transaction: { amount: 3134, fee: 121, net: 3013, type: "charge" },
      },
    });
    expect(await ledger()).toMatchObject({
      balances: { external: -3134, fees: 121, platform: 0, [destination]: 3013 },
      sum: 0,
      charges: [
        {
          payment_intent: intent.id,
          amount_cents: 3134,
          fee_cents: 121,
          application_fee_cents: 121,
          destination,
          transferred_cents: 3013,
          status: "succeeded",
          metadata: { cycle_id: "2026-01", brand_id: "acme", creator_id: "ana" },
        },
      ],
    });
    expect((await stripe.transfers.list({ destination })).data).toMatchObject([
      { amount: 3134, destination },
    ]);
    expect((await stripe.applicationFees.list()).data).toMatchObject([{ amount: 121, account: destination }]);
  });

  test.each([
    ["pm_card_chargeDeclined", "card_declined", "generic_decline"],
    ["pm_card_chargeDeclinedInsufficientFunds", "card_declined", "insufficient_funds"],
    ["pm_card_chargeDeclinedExpiredCard", "expired_card", "expired_card"],
    ["pm_card_chargeCustomerFail", "card_declined", "generic_decline"],
    ["pm_card_authenticationRequired", "authentication_required", "authentication_required"],
  ])(
    "%s is refused with 402 %s / %s, and the payment waits for another",
    async (method, code, decline_code) => {
      const { id: customer } = await stripe.customers.create();
      const refused = await refusal(
        stripe.paymentIntents.create(charge({ customer, payment_method: method }, 1000)),
      );
      expect(refused).toMatchObject({
        status: 402,
        class: "StripeCardError",
        type: "card_error",
        code,
        decline_code,
        payment_intent: { status: "requires_payment_method", last_payment_error: { code } },
      });
      const [intent] = (await stripe.paymentIntents.list({ customer })).data;
      expect(intent).toMatchObject({ status: "requires_payment_method", payment_method: null });
      const paid = await stripe.paymentIntents.confirm(intent!.id, { payment_method: "pm_card_visa" });
      expect(paid.status).toBe("succeeded");
      expect((await ledger()).sum).toBe(0);
    },
  );

  test("that is declined cannot be attached, one that fails only when charged can", async () => {
    const { id: customer } = await stripe.customers.create();
    expect(await refusal(stripe.paymentMethods.attach("pm_card_chargeDeclined", { customer }))).toMatchObject(
      {
        status: 402,
        code: "card_declined",
      },
    );
    const attached = await stripe.paymentMethods.attach("pm_card_chargeCustomerFail", { customer });
    expect(attached).toMatchObject({ customer, card: { last4: "0341" } });
  });

  test("of a customer whose script says so is declined on the first attempt of every charge", async () => {
    const brand = await brandWith(stripe, "pm_card_visa");
    const script = `/_sandbox/stripe/customers/${brand.customer}/script`;
    await world.control("PUT", script, { kind: "card_declined_once" });
    const destination = await paidCreator(world);
    for (const asked of [charge(brand, 1000), charge(brand, 2000, { destination, net: 1900 })]) {
      expect(await refusal(stripe.paymentIntents.create(asked))).toMatchObject({
        status: 402,
        code: "card_declined",
      });
      expect((await stripe.paymentIntents.create(asked)).status).toBe("succeeded");
      expect((await stripe.paymentIntents.create(asked)).status).toBe("succeeded");
    }
    await world.control("PUT", script, { kind: null });
    const later = { ...charge(brand, 1000), metadata: { cycle_id: "2026-02", brand_id: "acme" } };
    expect((await stripe.paymentIntents.create(later)).status).toBe("succeeded");
  });

  test("may ask its holder, who answers on a page of the bank", async () => {
    const { id: customer } = await stripe.customers.create();
    const asked = {
      ...charge({ customer, payment_method: "pm_card_authenticationRequired" }, 1000),
      off_session: false,
    };
    const intent = await stripe.paymentIntents.create({ ...asked, return_url: "http://127.0.0.1/back" });
    expect(intent).toMatchObject({ status: "requires_action", next_action: { type: "redirect_to_url" } });
    const answer = await fetch(`${intent.next_action!.redirect_to_url!.url}?auto=complete`, {
      redirect: "manual",
    });
    expect([answer.status, answer.headers.get("location")]).toEqual([303, "http://127.0.0.1/back"]);
    expect((await stripe.paymentIntents.retrieve(intent.id)).status).toBe("succeeded");
  });
});

describe("a bank account", () => {
  test("pays after exactly four calendar days, at three in the morning in Los Angeles, also across a change of clocks", async () => {
    await world.close();
    world = await stripeWorld("2026-03-05T08:05:00.000Z");
    stripe = world.stripe;
    const brand = await brandWith(stripe, "pm_usBankAccount_success");
    const intent = await stripe.paymentIntents.create(charge(brand, 62500));
    expect(intent.status).toBe("processing");
    await world.control("POST", "/_sandbox/clock", { to: "2026-03-09T09:59:59.999Z" });
    expect((await stripe.paymentIntents.retrieve(intent.id)).status).toBe("processing");
    await world.control("POST", "/_sandbox/clock", { to: "2026-03-09T10:00:00.000Z" });
    const paid = await stripe.paymentIntents.retrieve(intent.id, {
      expand: ["latest_charge.balance_transaction"],
    });
    expect(paid).toMatchObject({ status: "succeeded", latest_charge: { balance_transaction: { fee: 500 } } });
    expect((await ledger()).balances).toEqual({ external: -62500, fees: 500, platform: 62000 });
  });

  test.each([
    ["pm_usBankAccount_accountClosed", "account_closed", "R02"],
    ["pm_usBankAccount_noAccount", "no_account", "R03"],
    ["pm_usBankAccount_debitNotAuthorized", "debit_not_authorized", "R10"],
  ])(
    "%s fails with %s after four days, is blocked with %s, and the mandate ends",
    async (method, code, network_code) => {
      const brand = await brandWith(stripe, method);
      const intent = await stripe.paymentIntents.create(charge(brand, 1000));
      await world.advance("P4DT3H");
      expect(await stripe.paymentIntents.retrieve(intent.id)).toMatchObject({
        status: "requires_payment_method",
        last_payment_error: { code },
      });
      const blocked = await stripe.paymentMethods.retrieve(brand.payment_method);
      expect(blocked.us_bank_account?.status_details?.blocked?.network_code).toBe(network_code);
      const [setup] = (await stripe.setupIntents.list({ customer: brand.customer })).data;
      expect((await stripe.mandates.retrieve(String(setup!.mandate))).status).toBe("inactive");
      expect(await refusal(stripe.paymentIntents.create(charge(brand, 1000)))).toMatchObject({
        status: 400,
        code: "payment_method_bank_account_blocked",
      });
    },
  );

  test("short of money fails after four days and can be tried again; ach_fails makes a good one fail every time", async () => {
    const poor = await brandWith(stripe, "pm_usBankAccount_insufficientFunds");
    const rich = await brandWith(stripe, "pm_usBankAccount_success");
    await world.control("PUT", `/_sandbox/stripe/customers/${rich.customer}/script`, { kind: "ach_fails" });
    for (const _attempt of [1, 2]) {
      const intents = [
        await stripe.paymentIntents.create(charge(poor, 1000)),
        await stripe.paymentIntents.create(charge(rich, 1000)),
      ];
      await world.advance("P3D");
      for (const { id } of intents)
        expect((await stripe.paymentIntents.retrieve(id)).status).toBe("processing");
      await world.advance("P1DT3H");
      for (const { id } of intents)
        expect(await stripe.paymentIntents.retrieve(id)).toMatchObject({
          status: "requires_payment_method",
          last_payment_error: { code: "insufficient_funds" },
        });
    }
    expect((await ledger()).balances).toEqual({});
  });

  test("whose debit is disputed loses the money, a fee and the mandate", async () => {
    const brand = await brandWith(stripe, "pm_usBankAccount_dispute");
    const intent = await stripe.paymentIntents.create(charge(brand, 10_000));
    await world.advance("P5DT3H");
    expect((await stripe.disputes.list({ payment_intent: intent.id })).data).toMatchObject([
      { status: "lost" },
    ]);
    expect(await ledger()).toMatchObject({ balances: { external: 0, fees: 1580, platform: -1580 }, sum: 0 });
  });

  test("that never answers stays under way", async () => {
    const brand = await brandWith(stripe, "pm_usBankAccount_processing");
    const { id } = await stripe.paymentIntents.create(charge(brand, 1000));
    await world.advance("P60D");
    expect((await stripe.paymentIntents.retrieve(id)).status).toBe("processing");
    expect(await refusal(stripe.paymentIntents.cancel(id))).toMatchObject({
      code: "payment_intent_unexpected_state",
    });
  });

  test("cannot be debited without an agreement", async () => {
    const { id: customer } = await stripe.customers.create();
    const asked = charge({ customer, payment_method: "pm_usBankAccount_success" }, 1000);
    expect(await refusal(stripe.paymentIntents.create(asked))).toMatchObject({
      code: "payment_intent_mandate_invalid",
    });
  });
});

test("a test may let one payment be more than Stripe's own most", async () => {
  await world.control("PUT", "/_sandbox/stripe/ceiling", { most_cents: 250_000_000 });
  const { id: customer } = await stripe.customers.create();
  const { status } = await stripe.paymentIntents.create(
    charge({ customer, payment_method: "pm_card_visa" }, 250_000_000),
  );
  expect(status).toBe("succeeded");
  const more = stripe.paymentIntents.create(
    charge({ customer, payment_method: "pm_card_visa" }, 250_000_001),
  );
  expect(await refusal(more)).toMatchObject({ code: "amount_too_large" });
});

describe("what Stripe refuses", () => {
  test.each<[string, Partial<Stripe.PaymentIntentCreateParams>, Record<string, unknown>]>([
    ["49 cents", { amount: 49 }, { code: "amount_too_small", param: "amount" }],
    ["a million dollars", { amount: 100_000_000 }, { code: "amount_too_large", param: "amount" }],
    ["euros", { currency: "eur" }, { param: "currency" }],
    ["a descriptor on a card", { statement_descriptor: "ACME" }, { param: "statement_descriptor" }],
    [
      "a suffix of 23 characters",
      { statement_descriptor_suffix: "x".repeat(23) },
      { param: "statement_descriptor_suffix" },
    ],
    ["a fee without a destination", { application_fee_amount: 1 }, { param: "application_fee_amount" }],
    ["an unknown customer", { customer: "cus_nobody" }, { code: "resource_missing", param: "customer" }],
    [
      "an unknown destination",
      { transfer_data: { destination: "acct_nobody" } },
      { code: "resource_missing" },
    ],
    [
      "an unknown payment method",
      { payment_method: "pm_nothing" },
      { code: "resource_missing", param: "payment_method" },
    ],
    [
      "a bank account where only cards are taken",
      { payment_method: "pm_usBankAccount_success", allowed_payment_method_types: ["card"] },
      { param: "payment_method" },
    ],
    ["off_session without confirm", { confirm: false }, { param: "off_session" }],
    ["a field that cannot be shown in full", { expand: ["amount"] }, { param: "expand" }],
  ])("%s", async (_what, wrong, expected) => {
    const brand = await brandWith(stripe, "pm_card_visa");
    const asked = stripe.paymentIntents.create({ ...charge(brand, 1000), ...wrong });
    expect(await refusal(asked)).toMatchObject({ status: 400, type: "invalid_request_error", ...expected });
    expect((await stripe.paymentIntents.list({ customer: brand.customer })).data).toEqual([]);
  });

  test("a destination that cannot receive, until it can", async () => {
    const brand = await brandWith(stripe, "pm_card_visa");
    const { id: destination } = await stripe.accounts.create({
      type: "express",
      capabilities: { transfers: { requested: true } },
    });
    const asked = charge(brand, 1000, { destination, net: 900 });
    expect(await refusal(stripe.paymentIntents.create(asked))).toMatchObject({
      code: "insufficient_capabilities_for_transfer",
      message: expect.stringContaining("transfers, crypto_transfers, legacy_payments"),
    });
    await world.control("POST", `/_sandbox/stripe/accounts/${destination}/complete`);
    expect((await stripe.paymentIntents.create(asked)).status).toBe("succeeded");
  });

  test("another customer's payment method", async () => {
    const acme = await brandWith(stripe, "pm_card_visa");
    const other = await brandWith(stripe, "pm_card_visa");
    const asked = charge({ ...acme, payment_method: other.payment_method }, 1000);
    expect(await refusal(stripe.paymentIntents.create(asked))).toMatchObject({
      status: 400,
      param: "payment_method",
    });
  });
});

test("a refund takes back the transfer and the application fee in proportion, Stripe keeps its fee", async () => {
  const brand = await brandWith(stripe, "pm_card_visa");
  const destination = await paidCreator(world);
  const intent = await stripe.paymentIntents.create(charge(brand, 1061, { destination, net: 1000 }));
  const part = { payment_intent: intent.id, reverse_transfer: true, refund_application_fee: true };
  await stripe.refunds.create({ ...part, amount: 333 });
  await stripe.refunds.create(part);
  expect(await ledger()).toMatchObject({
    balances: { external: 0, fees: 61, platform: -61, [destination]: 0 },
    sum: 0,
    charges: [{ refunded_cents: 1061, transferred_cents: 0, application_fee_cents: 0 }],
  });
  expect(await refusal(stripe.refunds.create(part))).toMatchObject({ code: "charge_already_refunded" });
});

test("a transfer can be taken back by itself, never more than it was", async () => {
  const brand = await brandWith(stripe, "pm_card_visa");
  const destination = await paidCreator(world);
  await stripe.paymentIntents.create(charge(brand, 1061, { destination, net: 1000 }));
  const [transfer] = (await stripe.transfers.list()).data;
  await stripe.transfers.createReversal(transfer!.id, { amount: 400 });
  expect(await refusal(stripe.transfers.createReversal(transfer!.id, { amount: 662 }))).toMatchObject({
    param: "amount",
  });
  expect((await stripe.transfers.retrieve(transfer!.id)).reversals.data).toMatchObject([{ amount: 400 }]);
  expect((await ledger()).balances).toMatchObject({ [destination]: 600, platform: 400 });
});

test("a connected account is paid out to its bank two mornings later", async () => {
  const brand = await brandWith(stripe, "pm_card_visa");
  const destination = await paidCreator(world);
  await world.advance("P3D");
  await stripe.paymentIntents.create(charge(brand, 1061, { destination, net: 1000 }));
  expect((await stripe.payouts.list({}, { stripeAccount: destination })).data).toEqual([]);
  await world.advance("P3D");
  expect((await stripe.payouts.list({}, { stripeAccount: destination })).data).toMatchObject([
    { amount: 1000, status: "paid", automatic: true },
  ]);
  expect(await ledger()).toMatchObject({ balances: { [destination]: 0, external: -61 }, sum: 0 });
  expect(await refusal(stripe.payouts.list({}, { stripeAccount: "acct_nobody" }))).toMatchObject({
    status: 403,
    code: "account_invalid",
  });
});

test("a lost payment is found again by customer, time and metadata", async () => {
  const brand = await brandWith(stripe, "pm_card_visa");
  const created = Math.floor(Date.parse("2026-02-03T08:05:00Z") / 1000);
  for (const cycle_id of ["a", "b", "c"]) {
    await stripe.paymentIntents.create({ ...charge(brand, 1000), metadata: { cycle_id } });
    await world.advance("PT1H");
  }
  const found = await stripe.paymentIntents.list({
    customer: brand.customer,
    created: { gte: created + 3600 },
    limit: 1,
  });
  expect([found.data[0]?.metadata.cycle_id, found.has_more]).toEqual(["c", true]);
  const all: string[] = [];
  for await (const intent of stripe.paymentIntents.list({ customer: brand.customer, limit: 1 }))
    all.push(intent.metadata.cycle_id!);
  expect(all).toEqual(["c", "b", "a"]);
});
