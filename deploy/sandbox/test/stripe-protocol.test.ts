import { mkdtempSync } from "node:fs";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { KeysInUse } from "../src/stripe/idempotency.ts";
import { routes } from "../src/stripe/routes.ts";
import { brandWith, charge, type StripeWorld, stripeWorld } from "./stripe-world.ts";

let world: StripeWorld;
beforeAll(async () => {
  world = await stripeWorld();
});
afterAll(() => world.close());

const form = { "content-type": "application/x-www-form-urlencoded" };

/** A parameter of the wrong type for each route that has one; every route refuses an `expand` that is no list. */
const WRONG_TYPE: Record<string, [sent: string, param: string]> = {
  "POST /v1/customers": ["metadata=text", "metadata"],
  "POST /v1/customers/:id": ["invoice_settings=text", "invoice_settings"],
  "GET /v1/customers": ["limit=many", "limit"],
  "POST /v1/payment_methods": ["type[0]=card", "type"],
  "GET /v1/payment_methods": ["customer=cus_1&limit=0", "limit"],
  "POST /v1/payment_methods/:id/attach": ["customer[id]=cus_1", "customer"],
  "POST /v1/setup_intents": ["confirm=yes", "confirm"],
  "POST /v1/setup_intents/:id/confirm": ["mandate_data=yes", "mandate_data"],
  "GET /v1/setup_intents": ["created[gte]=today", "created[gte]"],
  "POST /v1/setup_intents/:id/verify_microdeposits": ["amounts[]=many", "amounts[0]"],
  "POST /v1/payment_intents": ["amount=12.5&currency=usd", "amount"],
  "POST /v1/payment_intents/:id/confirm": ["off_session=1", "off_session"],
  "GET /v1/payment_intents": ["created=today", "created[gte]"],
  "GET /v1/charges": ["limit=101", "limit"],
  "POST /v1/refunds": ["amount=all", "amount"],
  "GET /v1/refunds": ["limit=many", "limit"],
  "GET /v1/disputes": ["limit=many", "limit"],
  "GET /v1/transfers": ["limit=many", "limit"],
  "POST /v1/transfers/:id/reversals": ["amount=0", "amount"],
  "GET /v1/transfers/:id/reversals": ["limit=many", "limit"],
  "GET /v1/application_fees": ["limit=many", "limit"],
  "POST /v1/accounts": ["type=express&capabilities=transfers", "capabilities"],
  "POST /v1/accounts/:id": ["metadata=text", "metadata"],
  "GET /v1/accounts": ["limit=many", "limit"],
  "POST /v1/account_links": [
    "account=a&type=account_onboarding&refresh_url=r&return_url=r&collection_options=all",
    "collection_options",
  ],
  "GET /v1/payouts": ["arrival_date[gt]=soon", "arrival_date[gt]"],
  "GET /v1/events": ["types=all", "types"],
  "POST /v1/webhook_endpoints": ["url=http://127.0.0.1/&enabled_events=all", "enabled_events"],
  "POST /v1/webhook_endpoints/:id": ["disabled=perhaps", "disabled"],
  "GET /v1/webhook_endpoints": ["limit=many", "limit"],
};

describe.each(routes.map((route) => ({ ...route, name: `${route.method} ${route.path}` })))(
  "$name",
  (route) => {
    const path = route.path.replace(/:\w+/g, "some_id");
    const ask = (parameters: string, headers: Record<string, string> = {}) =>
      route.method === "GET"
        ? world.raw(`${path}?${parameters}`, { headers })
        : world.raw(path, { method: "POST", body: parameters, headers: { ...form, ...headers } });

    test("refuses an unknown parameter", async () => {
      const { status, error } = await ask("colour=green");
      expect([status, error.type, error.code, error.param]).toEqual([
        400,
        "invalid_request_error",
        "parameter_unknown",
        "colour",
      ]);
      expect(error.message).toBe("Received unknown parameter: colour");
    });

    test("refuses a wrong type", async () => {
      const [sent, param] = WRONG_TYPE[route.name] ?? ["expand=everything", "expand"];
      const { status, error } = await ask(sent);
      expect([status, error.param, error.code]).toEqual([
        400,
        param,
        expect.stringMatching(/^parameter_invalid_/),
      ]);
    });

    test("refuses a missing key, a bad key, an impossible version and an account it has no access to", async () => {
      const bare = await world.raw(path, { method: route.method, headers: { authorization: "" } });
      expect([bare.status, bare.error.type]).toEqual([401, "invalid_request_error"]);
      expect(bare.error.message).toMatch(/^You did not provide an API key/);
      const live = await ask("", { authorization: "Bearer sk_live_0123456789abcdef" });
      expect([live.status, live.error.message]).toEqual([
        401,
        expect.stringMatching(/^Invalid API Key provided: sk_live_\*+cdef$/),
      ]);
      const version = await ask("", { "stripe-version": "yesterday" });
      expect([version.status, version.error.message]).toEqual([400, "Invalid Stripe API version: yesterday"]);
      const account = await ask(route.method === "GET" ? "" : "a=b", { "stripe-account": "acct_nobody" });
      expect([account.status, account.error.code]).toEqual([403, "account_invalid"]);
      if (!route.publishable) {
        const browser = await ask("", { authorization: "Bearer pk_test_browser" });
        expect([browser.status, browser.error.code]).toEqual([401, "secret_key_required"]);
      }
    });

    if (route.method === "POST")
      test("refuses a body that is not form-encoded, and a key that is too long", async () => {
        const json = await ask("{}", { "content-type": "application/json" });
        expect([json.status, json.error.message]).toEqual([
          400,
          expect.stringContaining("x-www-form-urlencoded"),
        ]);
        const long = await ask("", { "idempotency-key": "x".repeat(256) });
        expect([long.status, long.error.type]).toEqual([400, "invalid_request_error"]);
      });
  },
);

test("an address that Stripe does not have is a 404 in Stripe's envelope", async () => {
  const { status, error } = await world.raw("/v1/nothing");
  expect([status, error.type]).toEqual([404, "invalid_request_error"]);
  expect(error.message).toContain("Unrecognized request URL (GET: /v1/nothing)");
});

test("every answer has a request id; errors point to Stripe's documentation", async () => {
  const { headers, error } = await world.raw("/v1/customers/cus_none");
  expect(headers.get("request-id")).toMatch(/^req_\w{14}$/);
  expect(error).toMatchObject({
    code: "resource_missing",
    param: "id",
    doc_url: "https://stripe.com/docs/error-codes/resource-missing",
    request_log_url: expect.stringContaining("req_"),
  });
});

describe("an idempotency key", () => {
  const create = (body: string, key: string, path = "/v1/customers") =>
    world.raw(path, { method: "POST", body, headers: { ...form, "idempotency-key": key } });
  const customers = async () => (await world.stripe.customers.list({ limit: 100 })).data.length;

  test("gives the same answer again and does nothing twice", async () => {
    const before = await customers();
    const first = await world.stripe.customers.create({ name: "once" }, { idempotencyKey: "k1" });
    const again = await world.stripe.customers.create({ name: "once" }, { idempotencyKey: "k1" });
    expect([again.id, again.lastResponse.headers["idempotent-replayed"]]).toEqual([first.id, "true"]);
    expect(again.lastResponse.headers["original-request"]).toBe(first.lastResponse.requestId);
    expect(await customers()).toBe(before + 1);
  });

  test("refuses other parameters and another address", async () => {
    await create("name=a", "k2");
    const other = await create("name=b", "k2");
    expect([other.status, other.error.type]).toEqual([400, "idempotency_error"]);
    expect(other.error.message).toContain("same parameters");
    const elsewhere = await create("name=a", "k2", "/v1/setup_intents");
    expect([elsewhere.status, elsewhere.error.type]).toEqual([400, "idempotency_error"]);
    expect(elsewhere.error.message).toContain("'/v1/customers' vs '/v1/setup_intents'");
  });

  test("does not remember a request that was refused before anything was done", async () => {
    expect((await create("colour=green", "k3")).status).toBe(400);
    expect((await create("name=b", "k3")).status).toBe(200);
  });

  test("remembers a declined card: the same key never tries again", async () => {
    const { id: customer } = await world.stripe.customers.create();
    const asked = charge({ customer, payment_method: "pm_card_chargeDeclined" }, 1000);
    for (const _twice of [1, 2])
      await expect(world.stripe.paymentIntents.create(asked, { idempotencyKey: "k4" })).rejects.toMatchObject(
        {
          statusCode: 402,
          code: "card_declined",
        },
      );
    expect((await world.stripe.paymentIntents.list({ customer })).data).toHaveLength(1);
  });

  test("makes a new charge after 24 hours, and not a minute before", async () => {
    const brand = await brandWith(world.stripe, "pm_card_visa");
    const pay = async () =>
      (await world.stripe.paymentIntents.create(charge(brand, 1000), { idempotencyKey: "k5" })).id;
    const first = await pay();
    await world.advance("PT23H59M");
    expect(await pay()).toBe(first);
    await world.advance("PT1M");
    expect(await pay()).not.toBe(first);
  });

  test("is refused with 409 while its first request is under way", async () => {
    const inUse = new KeysInUse();
    const release = inUse.take("k6");
    expect(() => inUse.take("k6")).toThrow(
      expect.objectContaining({
        status: 409,
        body: expect.objectContaining({ code: "idempotency_key_in_use" }),
      }),
    );
    release();
    inUse.take("k6");
  });

  test("survives a lost answer: what was done is not done again", async () => {
    const brand = await brandWith(world.stripe, "pm_card_visa");
    await world.control("POST", "/_sandbox/faults", {
      partner: "stripe",
      path_regex: "payment_intents$",
      times: 1,
      action: "reset_after",
    });
    const pay = () =>
      world.stripe.paymentIntents.create(charge(brand, 1000), { idempotencyKey: "k7", maxNetworkRetries: 2 });
    expect((await pay()).lastResponse.headers["idempotent-replayed"]).toBe("true");
    await world.control("DELETE", "/_sandbox/faults");
    expect((await world.stripe.paymentIntents.list({ customer: brand.customer })).data).toHaveLength(1);
  });
});

test("two requests with one key at once, in one write: the second is told to wait or gets the first's answer", async () => {
  const { port } = new URL(world.running.url);
  const request = [
    "POST /v1/customers HTTP/1.1",
    `host: 127.0.0.1:${port}`,
    "authorization: Bearer sk_test_sandbox",
    "content-type: application/x-www-form-urlencoded",
    "idempotency-key: k8",
    "content-length: 10",
    "",
    "name=twins",
  ].join("\r\n");
  const answers = await new Promise<string>((resolve) => {
    const socket = connect(Number(port), "127.0.0.1", () => socket.write(request + request));
    let text = "";
    socket.on("data", (part) => {
      text += part;
      if (text.split("HTTP/1.1 ").length === 3 && text.trimEnd().endsWith("}")) {
        socket.destroy();
        resolve(text);
      }
    });
  });
  expect(answers).toMatch(/idempotency_key_in_use|idempotent-replayed/);
  expect(
    (await world.stripe.customers.list({ limit: 100 })).data.filter(({ name }) => name === "twins"),
  ).toHaveLength(1);
});

test("the control plane refuses what it does not know", async () => {
  const { id } = await world.stripe.customers.create();
  const script = `/_sandbox/stripe/customers/${id}/script`;
  for (const wrong of [{ kind: "card_declined_twice" }, { kind: null, colour: "green" }, {}])
    expect((await world.control("PUT", script, wrong)).status).toBe(400);
  const nobody = await world.control("PUT", "/_sandbox/stripe/customers/cus_none/script", { kind: null });
  expect(nobody.status).toBe(404);
  expect((await world.control("GET", "/_sandbox/stripe/ledger?colour=green")).status).toBe(400);
  expect((await world.control("POST", `/_sandbox/stripe/accounts/acct_none/complete`)).status).toBe(404);
  expect((await world.control("POST", `/_sandbox/stripe/accounts/acct_none/dance`)).status).toBe(400);
});

test("what was done is still there after the sandbox has been killed and started again", async () => {
  const directory = mkdtempSync("/tmp/stripe-again-");
  const first = await stripeWorld("2026-02-03T08:05:00.000Z", directory);
  const brand = await brandWith(first.stripe, "pm_usBankAccount_success");
  const paid = await first.stripe.paymentIntents.create(charge(brand, 1000), { idempotencyKey: "k9" });
  const before = (await first.control("GET", "/_sandbox/stripe/ledger")).body;
  await first.close();

  const second = await stripeWorld("2026-02-03T08:05:00.000Z", directory);
  expect((await second.control("GET", "/_sandbox/stripe/ledger")).body).toEqual(before);
  const again = await second.stripe.paymentIntents.create(charge(brand, 1000), { idempotencyKey: "k9" });
  expect(again.id).toBe(paid.id);
  await second.advance("P5D");
  expect((await second.stripe.paymentIntents.retrieve(paid.id)).status).toBe("succeeded");
  await second.close();
});
