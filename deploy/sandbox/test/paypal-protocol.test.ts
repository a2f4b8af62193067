import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { addresses } from "../src/paypal/addresses.ts";
import { rawMember } from "../src/paypal/raw-member.ts";
import { freshToken, item, type PayPalWorld, payout, paypalWorld } from "./paypal-world.ts";

let world: PayPalWorld;
beforeAll(async () => {
  world = await paypalWorld();
});
afterAll(() => world.close());

/** For each address that takes a body or a query: something unknown, and something of the wrong type, with the field PayPal names. */
const WRONG: Record<
  string,
  { unknown: [sent: unknown, field: string]; wrongType: [sent: unknown, field: string] }
> = {
  "POST /v1/payments/payouts": {
    unknown: [payout("b", item("a@b.cc", "1.00", { colour: "green" })), "items[0].colour"],
    wrongType: [
      payout("b", item("a@b.cc", "1.00", { amount: { currency: "USD", value: 1 } })),
      "items[0].amount.value",
    ],
  },
  "POST /v1/notifications/webhooks": {
    unknown: [{ url: "https://a.bc/", event_types: [{ name: "*" }], secret: "x" }, "secret"],
    wrongType: [{ url: "https://a.bc/", event_types: ["*"] }, "event_types[0]"],
  },
  "PATCH /v1/notifications/webhooks/:id": {
    unknown: [[{ op: "replace", path: "/url", value: "https://a.bc/", colour: "green" }], "[0].colour"],
    wrongType: [[{ op: "invent" }], "[0].op"],
  },
  "POST /v1/notifications/verify-webhook-signature": {
    unknown: [{ colour: "green" }, "colour"],
    wrongType: [{ auth_algo: 1 }, "auth_algo"],
  },
};

/** For addresses without a body of their own: a query of the wrong type. */
const WRONG_QUERY: Record<string, [query: string, field: string]> = {
  "GET /v1/payments/payouts/:id": ["page=first", "page"],
  "GET /v1/notifications/webhooks": ["anchor_type=SHIP", "anchor_type"],
};

describe.each(addresses.map((address) => ({ ...address, name: `${address.method} ${address.path}` })))(
  "$name",
  ({ method, path, name }) => {
    const url = path.replace(":id", "NOTHING");
    const { unknown, wrongType } = WRONG[name] ?? {};

    test("refuses an unknown parameter", async () => {
      const query = await world.api(method, `${url}?colour=green`, unknown ? {} : undefined);
      expect([query.status, query.body.name]).toEqual([400, "VALIDATION_ERROR"]);
      expect(query.body.details).toMatchObject([
        { field: "colour", location: "query", issue: "Unknown field" },
      ]);
      if (!unknown) return;
      const body = await world.api(method, url, unknown[0]);
      expect([body.status, body.body.name]).toEqual([400, "VALIDATION_ERROR"]);
      expect(body.body.details).toContainEqual({
        field: unknown[1],
        location: "body",
        issue: "Unknown field",
      });
    });

    test("refuses a wrong type", async () => {
      const [query, inQuery] = WRONG_QUERY[name] ?? ["", ""];
      const [sent, inBody] = wrongType ?? [undefined, ""];
      if (!query && !sent) return;
      const { status, body } = await world.api(method, `${url}?${query}`, sent);
      expect([status, body.name]).toEqual([400, "VALIDATION_ERROR"]);
      expect(body.details.map(({ field }) => field)).toContain(inQuery || inBody);
      expect(body).toMatchObject({
        message: expect.any(String),
        debug_id: expect.stringMatching(/^\w{13}$/),
        information_link: expect.any(String),
      });
    });

    test("refuses a missing, unknown or ended token, another media type and an endless request id", async () => {
      for (const authorization of ["", "Bearer nothing", "Basic abc"]) {
        const { status, body } = await world.api(method, url, undefined, { authorization });
        expect([status, body.error]).toEqual([401, "invalid_token"]);
      }
      if (method !== "GET") {
        const { status, body } = await world.api(method, url, "colour=green", {
          "content-type": "application/x-www-form-urlencoded",
        });
        expect([status, body.name]).toEqual([415, "UNSUPPORTED_MEDIA_TYPE"]);
      }
      const { status, body } = await world.api(method, url, undefined, {
        "paypal-request-id": "x".repeat(1001),
      });
      expect([status, body.details[0].location]).toEqual([400, "header"]);
    });

    if (wrongType)
      test("refuses a body that is no JSON", async () => {
        const { status, body } = await world.api(method, url, "{");
        expect([status, body.name]).toEqual([400, "MALFORMED_REQUEST"]);
      });

    if (path.includes(":id"))
      test("does not know what does not exist", async () => {
        const sent =
          method === "PATCH" ? [{ op: "replace", path: "/url", value: "https://a.bc/" }] : undefined;
        const { status, body } = await world.api(method, url, sent);
        expect([status, body.name]).toEqual([404, "INVALID_RESOURCE_ID"]);
      });
  },
);

describe("a token", () => {
  const ask = async (body: string, headers: Record<string, string> = {}) => {
    const basic = `Basic ${Buffer.from("client-of-tests:secret-of-tests").toString("base64")}`;
    const form = { "content-type": "application/x-www-form-urlencoded" };
    const url = `${world.running.url}/paypal/v1/oauth2/token`;
    const answer = await fetch(url, {
      method: "POST",
      body,
      headers: { authorization: basic, ...form, ...headers },
    });
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  };

  test("is given for client credentials, and ends after nine hours", async () => {
    const { status, body } = await ask("grant_type=client_credentials");
    expect([status, body.token_type, body.expires_in]).toEqual([200, "Bearer", 32_400]);
    const use = () =>
      world.api("GET", "/v1/notifications/webhooks", undefined, {
        authorization: `Bearer ${body.access_token}`,
      });
    expect((await use()).status).toBe(200);
    const here = await paypalWorld();
    const old = here.token;
    await here.advance("PT9H");
    const late = await here.api("GET", "/v1/notifications/webhooks", undefined, {
      authorization: `Bearer ${old}`,
    });
    expect([late.status, late.body.error]).toEqual([401, "invalid_token"]);
    await here.close();
  });

  test.each<[string, string, Record<string, string>, number, string]>([
    [
      "bad credentials",
      "grant_type=client_credentials",
      { authorization: `Basic ${Buffer.from("a:b").toString("base64")}` },
      401,
      "invalid_client",
    ],
    ["no credentials", "grant_type=client_credentials", { authorization: "" }, 401, "invalid_client"],
    ["another grant", "grant_type=password", {}, 400, "unsupported_grant_type"],
    ["no grant", "", {}, 400, "invalid_request"],
    ["an unknown parameter", "grant_type=client_credentials&colour=green", {}, 400, "invalid_request"],
  ])("is refused for %s", async (_what, sent, headers, status, error) => {
    expect(await ask(sent, headers)).toMatchObject({ status, body: { error } });
  });

  test("is refused for a body that is no form, and for other credentials than those agreed on", async () => {
    expect(await ask("{}", { "content-type": "application/json" })).toMatchObject({
      status: 415,
      body: { name: "UNSUPPORTED_MEDIA_TYPE" },
    });
    const here = await paypalWorld();
    await here.control("PUT", "/_sandbox/paypal/credentials", {
      client_id: "the-one-client",
      client_secret: "the-one-secret",
    });
    expect(await freshToken(here.running.url)).toBeUndefined();
    await here.close();
  });
});

describe("a payout that PayPal's first scan refuses", () => {
  test.each<[string, object, string, string]>([
    ["three decimals", item("a@b.cc", "1.001"), "VALIDATION_ERROR", "items[0].amount.value"],
    ["nothing", item("a@b.cc", "0.00"), "VALIDATION_ERROR", "items[0].amount.value"],
    ["a minus", item("a@b.cc", "-1.00"), "VALIDATION_ERROR", "items[0].amount.value"],
    [
      "euros",
      item("a@b.cc", "1.00", { amount: { currency: "EUR", value: "1.00" } }),
      "NON_HOLDING_CURRENCY",
      "items[0].amount.currency",
    ],
    [
      "an unknown recipient type",
      item("a@b.cc", "1.00", { recipient_type: "PIGEON" }),
      "VALIDATION_ERROR",
      "items[0].recipient_type",
    ],
    [
      "an unknown wallet",
      item("a@b.cc", "1.00", { recipient_wallet: "SOCK" }),
      "VALIDATION_ERROR",
      "items[0].recipient_wallet",
    ],
    ["no address", item("nobody", "1.00"), "VALIDATION_ERROR", "items[0].receiver"],
    [
      "a receiver of 128 characters",
      item(`${"a".repeat(123)}@b.cc`, "1.00"),
      "VALIDATION_ERROR",
      "items[0].receiver",
    ],
    [
      "a sender_item_id of 64 characters",
      item("a@b.cc", "1.00", { sender_item_id: "x".repeat(64) }),
      "VALIDATION_ERROR",
      "items[0].sender_item_id",
    ],
  ])("%s", async (_what, wrong, name, field) => {
    const { status, body } = await world.api("POST", "/v1/payments/payouts", payout("b", wrong));
    expect([status, body.name, body.details[0].field]).toEqual([400, name, field]);
  });

  test("no items at all, and two currencies", async () => {
    expect((await world.api("POST", "/v1/payments/payouts", payout("b"))).body.details[0].field).toBe(
      "items",
    );
    const two = payout(
      "b",
      item("a@b.cc", "1.00"),
      item("a@b.cc", "1.00", { amount: { currency: "EUR", value: "1.00" } }),
    );
    expect((await world.api("POST", "/v1/payments/payouts", two)).body.name).toBe("VALIDATION_ERROR");
  });
});

test("an address PayPal does not have is a 404 in PayPal's shape", async () => {
  const { status, body } = await world.api("GET", "/v1/payments/nothing");
  expect([status, body.name]).toEqual([404, "INVALID_RESOURCE_ID"]);
});

test("a member of a JSON text is found as it was written", () => {
  expect(rawMember('{"a":{"x":1},"x" : [1, "},\\"x\\":"] ,"b":2}', "x")).toBe('[1, "},\\"x\\":"]');
  expect(rawMember('{"a":1,"x":{ "y" : 1.0 } }', "x")).toBe('{ "y" : 1.0 }');
  expect(rawMember('{"a":{"x":1}}', "x")).toBeNull();
});

test("the control plane refuses what it does not know", async () => {
  for (const wrong of [{ value: 10 }, { value: "10.001" }, { value: "10.00", colour: "green" }])
    expect((await world.control("PUT", "/_sandbox/paypal/balance", wrong)).status).toBe(400);
  expect((await world.control("PUT", "/_sandbox/paypal/receivers/a@b.cc", { outcome: "LOST" })).status).toBe(
    400,
  );
  expect((await world.control("PUT", "/_sandbox/paypal/credentials", { client_id: "x" })).status).toBe(400);
  expect((await world.control("GET", "/_sandbox/paypal/ledger?colour=green")).status).toBe(400);
  expect((await world.control("POST", "/_sandbox/paypal/items/NOTHING/claim")).status).toBe(404);
});
