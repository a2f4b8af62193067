import Stripe from "stripe";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { brandWith, charge, paidCreator, type StripeWorld, stripeWorld } from "./stripe-world.ts";

let world: StripeWorld;
let stripe: Stripe;
beforeEach(async () => {
  world = await stripeWorld();
  stripe = world.stripe;
});
afterEach(() => world.close());

const secrets: Record<string, string> = { "/platform": "whsec_platform", "/connect": "whsec_connect" };

/** Reads a webhook as a platform does, with the genuine library; the clock is the virtual one of its receipt. */
function verified({ body, signature, path }: StripeWorld["heard"][number]): Stripe.Event {
  const received = Number(/t=(\d+)/.exec(signature)![1]) * 1000;
  return stripe.webhooks.constructEvent(body, signature, secrets[path]!, 300, undefined, received);
}

const acceptance = { type: "online" as const, online: { ip_address: "127.0.0.1", user_agent: "test" } };

test("webhooks are signed so that the genuine library believes them, and no other secret does", async () => {
  await world.listenToWebhooks();
  const brand = await brandWith(stripe, "pm_card_visa");
  const destination = await paidCreator(world);
  const { id } = await stripe.paymentIntents.create(charge(brand, 1061, { destination, net: 1000 }));
  await stripe.refunds.create({ payment_intent: id, reverse_transfer: true });
  await world.advance("PT1M");

  const events = world.heard.map(verified);
  expect(events.map(({ type }) => type)).toEqual([
    "payment_method.attached",
    "setup_intent.succeeded",
    "account.updated",
    "transfer.created",
    "payment_intent.succeeded",
    "transfer.reversed",
    "charge.refunded",
  ]);
  const paid = events.find(({ type }) => type === "payment_intent.succeeded")!;
  expect(paid).toMatchObject({
    object: "event",
    api_version: "2026-10-28.endive",
    livemode: false,
    data: { object: { id, status: "succeeded" } },
    request: {
      id: expect.stringMatching(/^req_/),
      idempotency_key: expect.stringContaining("stripe-node-retry"),
    },
  });
  const connect = world.heard.filter(({ path }) => path === "/connect").map(verified);
  expect(connect).toMatchObject([
    { type: "account.updated", account: destination, data: { object: { payouts_enabled: true } } },
  ]);

  const { body, signature } = world.heard[0]!;
  expect(() => stripe.webhooks.constructEvent(body, signature, "whsec_other")).toThrow(/signature/i);
  expect(() =>
    stripe.webhooks.constructEvent(body.replace("evt_", "evt-"), signature, "whsec_platform"),
  ).toThrow(/signature/i);
});

test("a bank debit tells that it is under way, then how it ended; a blocked account ends its mandate", async () => {
  await world.listenToWebhooks();
  const brand = await brandWith(stripe, "pm_usBankAccount_accountClosed");
  await stripe.paymentIntents.create(charge(brand, 1000));
  await world.advance("P5D");
  expect(world.heard.map(({ type }) => type).slice(2)).toEqual([
    "payment_intent.processing",
    "mandate.updated",
    "payment_intent.payment_failed",
  ]);
});

test("missed events can be swept up for thirty days, connected accounts' own only for themselves", async () => {
  const start = Math.floor(Date.parse("2026-02-03T08:05:00Z") / 1000);
  const destination = await paidCreator(world);
  await world.advance("P1D");
  const brand = await brandWith(stripe, "pm_card_visa");
  const types = async (params: Stripe.EventListParams, options: Stripe.RequestOptions = {}) =>
    (await stripe.events.list(params, options)).data.map(({ type }) => type);
  expect(await types({ created: { gte: start + 1 } })).toEqual([
    "setup_intent.succeeded",
    "payment_method.attached",
  ]);
  expect(await types({ type: "payment_method.*" })).toEqual(["payment_method.attached"]);
  expect(await types({}, { stripeAccount: destination })).toEqual(["account.updated"]);
  const [event] = (await stripe.events.list()).data;
  expect((await stripe.events.retrieve(event!.id)).data.object).toMatchObject({ customer: brand.customer });
  await world.advance("P30D");
  await expect(stripe.events.retrieve(event!.id)).rejects.toMatchObject({
    statusCode: 404,
    code: "resource_missing",
  });
});

test("an endpoint registered through the API hears what it asked for", async () => {
  await world.listenToWebhooks();
  const { endpoints } = (await world.control("GET", "/_sandbox/webhooks")).body;
  const { url } = (endpoints as unknown as { stripe: { url: string } }).stripe;
  const endpoint = await stripe.webhookEndpoints.create({
    url,
    enabled_events: ["payment_intent.succeeded"],
  });
  secrets["/platform"] = endpoint.secret!;
  const brand = await brandWith(stripe, "pm_card_visa");
  await stripe.paymentIntents.create(charge(brand, 1000));
  await world.advance("PT1M");
  expect(world.heard.map(verified).map(({ type }) => type)).toEqual(["payment_intent.succeeded"]);
  expect((await stripe.webhookEndpoints.retrieve(endpoint.id)).secret).toBeUndefined();
  secrets["/platform"] = "whsec_platform";
});

describe("a creator's account", () => {
  const links = {
    refresh_url: "http://127.0.0.1/refresh",
    return_url: "http://127.0.0.1/return",
    type: "account_onboarding" as const,
  };

  test("can be paid only when the onboarding page was completed, and the link works once", async () => {
    const { id } = await stripe.accounts.create({
      type: "express",
      capabilities: { transfers: { requested: true } },
    });
    expect(await stripe.accounts.retrieve(id)).toMatchObject({
      details_submitted: false,
      payouts_enabled: false,
      capabilities: { transfers: "inactive" },
      requirements: {
        disabled_reason: "requirements.past_due",
        currently_due: expect.arrayContaining(["external_account"]),
      },
    });
    await expect(stripe.accounts.createLoginLink(id)).rejects.toMatchObject({ statusCode: 400 });

    const link = await stripe.accountLinks.create({ account: id, ...links });
    const page = await fetch(link.url);
    expect(await page.text()).toContain("Complete everything");
    expect((await fetch(link.url, { redirect: "manual" })).headers.get("location")).toBe(links.refresh_url);
    const sent = await fetch(link.url, {
      method: "POST",
      body: new URLSearchParams({ choice: "pending" }),
      redirect: "manual",
    });
    expect([sent.status, sent.headers.get("location")]).toEqual([303, links.return_url]);
    expect(await stripe.accounts.retrieve(id)).toMatchObject({
      details_submitted: true,
      payouts_enabled: false,
      requirements: { disabled_reason: "requirements.pending_verification" },
    });

    const next = await stripe.accountLinks.create({ account: id, ...links });
    await fetch(`${next.url}?auto=complete`, { redirect: "manual" });
    expect(await stripe.accounts.retrieve(id)).toMatchObject({
      payouts_enabled: true,
      capabilities: { transfers: "active" },
      requirements: { currently_due: [], disabled_reason: null },
    });
    expect((await stripe.accounts.createLoginLink(id)).url).toContain(id);
  });

  test("has links that expire, can be restricted, and can leave the platform", async () => {
    const id = await paidCreator(world);
    const link = await stripe.accountLinks.create({ account: id, ...links });
    await world.advance("PT6M");
    expect((await fetch(link.url, { redirect: "manual" })).headers.get("location")).toBe(links.refresh_url);
    await world.control("POST", `/_sandbox/stripe/accounts/${id}/restrict`);
    expect(await stripe.accounts.retrieve(id)).toMatchObject({
      payouts_enabled: false,
      details_submitted: true,
    });
    await world.control("POST", `/_sandbox/stripe/accounts/${id}/deauthorize`);
    await expect(stripe.accounts.retrieve(id)).rejects.toMatchObject({
      statusCode: 403,
      code: "account_invalid",
    });
  });
});

describe("setting up a bank account", () => {
  async function begun(account_number = "000123456789") {
    const { id: customer } = await stripe.customers.create();
    const intent = await stripe.setupIntents.create({
      customer,
      allowed_payment_method_types: ["us_bank_account"],
      usage: "off_session",
    });
    return stripe.setupIntents.confirm(intent.id, {
      payment_method_data: {
        type: "us_bank_account",
        billing_details: { name: "Acme" },
        us_bank_account: { routing_number: "110000000", account_number, account_holder_type: "company" },
      },
      mandate_data: { customer_acceptance: acceptance },
    });
  }
  const code = (last: string) => ({ code: `payment_method_microdeposit_${last}` });

  test("sends two deposits; their amounts or code make it usable, with a mandate", async () => {
    const intent = await begun();
    expect(intent).toMatchObject({
      status: "requires_action",
      next_action: {
        type: "verify_with_microdeposits",
        verify_with_microdeposits: { microdeposit_type: "descriptor_code" },
      },
    });
    expect((await stripe.paymentMethods.list({ customer: String(intent.customer) })).data).toEqual([]);
    const verified = await stripe.setupIntents.verifyMicrodeposits(intent.id, { amounts: [32, 45] });
    expect(verified.status).toBe("succeeded");
    const [method] = (await stripe.paymentMethods.list({ customer: String(intent.customer) })).data;
    expect(method).toMatchObject({
      type: "us_bank_account",
      us_bank_account: { last4: "6789", fingerprint: expect.any(String) },
    });
    expect((await stripe.mandates.retrieve(String(verified.mandate))).status).toBe("active");
    const other = await begun();
    expect(
      (await stripe.setupIntents.verifyMicrodeposits(other.id, { descriptor_code: "SM11AA" })).status,
    ).toBe("succeeded");
  });

  test("gives up after three wrong amounts, on the numbers that say so, when the deposits bounce, and after ten days", async () => {
    const guessed = await begun();
    const guess = () => stripe.setupIntents.verifyMicrodeposits(guessed.id, { amounts: [1, 2] });
    await expect(guess()).rejects.toMatchObject(code("verification_amounts_mismatch"));
    await expect(guess()).rejects.toMatchObject(code("verification_amounts_mismatch"));
    await expect(guess()).rejects.toMatchObject(code("verification_attempts_exceeded"));
    await expect(guess()).rejects.toMatchObject({ code: "setup_intent_unexpected_state" });

    const told = await begun();
    await expect(
      stripe.setupIntents.verifyMicrodeposits(told.id, { descriptor_code: "SM33CC" }),
    ).rejects.toMatchObject(code("verification_attempts_exceeded"));
    const late = await begun();
    await expect(
      stripe.setupIntents.verifyMicrodeposits(late.id, { amounts: [40, 41] }),
    ).rejects.toMatchObject(code("verification_timeout"));
    const bounced = await begun("000666666661");
    await expect(
      stripe.setupIntents.verifyMicrodeposits(bounced.id, { amounts: [32, 45] }),
    ).rejects.toMatchObject(code("failed"));

    const forgotten = await begun();
    await world.advance("P11D");
    expect(await stripe.setupIntents.retrieve(forgotten.id)).toMatchObject({
      status: "requires_payment_method",
      last_setup_error: code("verification_timeout"),
    });
  });

  test("needs an agreement and a test account", async () => {
    const { id: customer } = await stripe.customers.create();
    const { id } = await stripe.setupIntents.create({ customer });
    await expect(
      stripe.setupIntents.confirm(id, { payment_method: "pm_usBankAccount_success" }),
    ).rejects.toMatchObject({
      code: "setup_intent_mandate_invalid",
    });
    await expect(begun("123")).rejects.toMatchObject({ code: "account_number_invalid" });
  });
});

test("a browser with the publishable key can confirm its own setup, knowing the client secret", async () => {
  const { id: customer } = await stripe.customers.create();
  const intent = await stripe.setupIntents.create({ customer });
  const { port } = new URL(world.running.url);
  const browser = new Stripe("pk_test_browser", {
    host: "127.0.0.1",
    port: Number(port),
    protocol: "http",
    telemetry: false,
  });
  const confirm = (client_secret: string) =>
    browser.setupIntents.confirm(intent.id, {
      payment_method: "pm_card_visa",
      client_secret,
    } as Stripe.SetupIntentConfirmParams);
  await expect(confirm("guess")).rejects.toMatchObject({ param: "client_secret" });
  expect((await confirm(intent.client_secret!)).status).toBe("succeeded");
  await stripe.paymentMethods.detach(String((await stripe.setupIntents.retrieve(intent.id)).payment_method));
  expect((await stripe.paymentMethods.list({ customer })).data).toEqual([]);
});
