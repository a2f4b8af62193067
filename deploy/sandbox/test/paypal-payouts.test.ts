import { createVerify, X509Certificate } from "node:crypto";
import { mkdtempSync } from "node:fs";
import { crc32 } from "node:zlib";
import { Ajv } from "ajv";
import addFormats from "ajv-formats";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import document from "../fixtures/paypal/payments_payouts_batch_v1.json" with { type: "json" };
import { freshToken, item, type PayPalWorld, payout, paypalWorld } from "./paypal-world.ts";

let world: PayPalWorld;
beforeEach(async () => {
  world = await paypalWorld();
});
afterEach(() => world.close());

const pay = async (...asked: Parameters<typeof payout>) => {
  const { status, body } = await world.api("POST", "/v1/payments/payouts", payout(...asked));
  expect(status, JSON.stringify(body)).toBe(201);
  return body.batch_header.payout_batch_id as string;
};
const batch = async (id: string, query = "") =>
  (await world.api("GET", `/v1/payments/payouts/${id}${query}`)).body;
const ledger = async () => (await world.control("GET", "/_sandbox/paypal/ledger")).body;

test("a payout is taken at once and paid in the same minute; every item costs 25 cents", async () => {
  const created = await world.api(
    "POST",
    "/v1/payments/payouts",
    payout("b1", item("ana@example.com", "30.13"), item("bo@example.com", "12.00")),
  );
  expect(created).toMatchObject({
    status: 201,
    body: {
      batch_header: { batch_status: "PENDING", sender_batch_header: { sender_batch_id: "b1" } },
      links: [{ rel: "self" }],
    },
  });
  await world.advance("PT1S");
  const shown = await batch(created.body.batch_header.payout_batch_id, "?total_required=true");
  expect(shown).toMatchObject({
    batch_header: {
      batch_status: "SUCCESS",
      time_completed: "2026-02-03T08:05:00Z",
      amount: { currency: "USD", value: "42.13" },
      fees: { value: "0.50" },
      funding_source: "BALANCE",
    },
    items: [
      {
        transaction_status: "SUCCESS",
        payout_item_fee: { value: "0.25" },
        payout_item: { receiver: "ana@example.com" },
      },
      { transaction_status: "SUCCESS", sender_batch_id: "b1" },
    ],
    total_items: 2,
    total_pages: 1,
  });
  const one = (await world.api("GET", `/v1/payments/payouts-item/${shown.items[0].payout_item_id}`)).body;
  expect(one).toEqual(shown.items[0]);
  expect(await ledger()).toMatchObject({
    balance: "999999957.37",
    books: { receivers: "42.13", fees: "0.50", held: "0.00" },
    sum: "0.00",
    sums: { value: "42.13", fee: "0.50" },
    paid: [
      {
        sender_batch_id: "b1",
        sender_item_id: "item-ana@example.com",
        receiver: "ana@example.com",
        value: "30.13",
        fee: "0.25",
        status: "SUCCESS",
      },
      { receiver: "bo@example.com", value: "12.00" },
    ],
  });
});

test("answers have the shape of PayPal's own document", async () => {
  const ajv = new Ajv({ strict: false });
  addFormats.default(ajv);
  ajv.addSchema({ $id: "http://s/x", components: document.components });
  const valid = (name: string, body: unknown) => {
    const validate = ajv.compile({ $ref: `http://s/x#/components/schemas/${name}` });
    expect(validate(body), JSON.stringify(validate.errors)).toBe(true);
  };
  const created = await world.api(
    "POST",
    "/v1/payments/payouts",
    payout("b1", item("ana+unclaimed@example.com", "1.00")),
  );
  valid("payout", created.body);
  await world.advance("PT1S");
  const shown = await batch(created.body.batch_header.payout_batch_id);
  valid("payout_batch", shown);
  valid("payout_item-2", shown.items[0]);
  valid("error", (await world.api("GET", "/v1/payments/payouts/NOTHING")).body);
});

describe("the sender's own batch id", () => {
  test("pays once in 30 days: a second payout is refused with a link to the first, a new request id or not", async () => {
    const first = await pay("b1", item("ana@example.com", "30.13"));
    for (const headers of [undefined, { "paypal-request-id": "another" }]) {
      const again = await world.api(
        "POST",
        "/v1/payments/payouts",
        payout("b1", item("ana@example.com", "99.00")),
        headers,
      );
      expect(again).toMatchObject({
        status: 400,
        body: {
          name: "USER_BUSINESS_ERROR",
          message: "User business error.",
          debug_id: again.headers.get("paypal-debug-id"),
          details: [
            {
              field: "SENDER_BATCH_ID",
              location: "body",
              issue: "Batch with given sender_batch_id already exists",
            },
          ],
        },
      });
      expect(again.body.details[0].link[0].href).toBe(
        `${world.running.url}/paypal/v1/payments/payouts/${first}`,
      );
    }
    expect((await ledger()).paid).toHaveLength(1);
    await world.advance("P29DT23H");
    expect(
      (await world.api("POST", "/v1/payments/payouts", payout("b1", item("ana@example.com", "1.00")))).status,
    ).toBe(401);
  });

  test("is free again after 30 days", async () => {
    await pay("b1", item("ana@example.com", "1.00"));
    await world.advance("P30D");
    const later = await paypalTokenOf(world);
    const again = await world.api(
      "POST",
      "/v1/payments/payouts",
      payout("b1", item("ana@example.com", "1.00")),
      later,
    );
    expect(again.status).toBe(201);
  });

  test("survives a lost answer: the resent payout is told apart from a new one", async () => {
    await world.control("POST", "/_sandbox/faults", {
      partner: "paypal",
      method: "POST",
      path_regex: "payouts$",
      times: 1,
      action: "reset_after",
    });
    await expect(
      world.api("POST", "/v1/payments/payouts", payout("b1", item("ana@example.com", "1.00"))),
    ).rejects.toThrow();
    const again = await world.api(
      "POST",
      "/v1/payments/payouts",
      payout("b1", item("ana@example.com", "1.00")),
    );
    expect(again.body.name).toBe("USER_BUSINESS_ERROR");
    expect((await ledger()).paid).toHaveLength(1);
  });
});

async function paypalTokenOf({ running }: PayPalWorld) {
  return { authorization: `Bearer ${await freshToken(running.url)}` };
}

describe("a receiver PayPal does not know", () => {
  test("has 30 days to claim; then the money and the fee return", async () => {
    const id = await pay("b1", item("ana+unclaimed@example.com", "10.00"));
    await world.advance("PT1S");
    const [unclaimed] = (await batch(id)).items;
    expect(unclaimed).toMatchObject({
      transaction_status: "UNCLAIMED",
      errors: { name: "RECEIVER_UNREGISTERED" },
    });
    expect(await ledger()).toMatchObject({ balance: "999999989.75", books: { held: "10.25" }, sum: "0.00" });
    await world.advance("P30D");
    expect(await ledger()).toMatchObject({
      balance: "1000000000.00",
      paid: [{ status: "RETURNED" }],
      sum: "0.00",
    });
  });

  test("can be called back by the sender, who is told; nothing else can", async () => {
    const id = await pay("b1", item("ana+unclaimed@example.com", "10.00"), item("bo@example.com", "1.00"));
    await world.advance("PT1S");
    const [unclaimed, paid] = (await batch(id)).items;
    const cancel = (one: { payout_item_id: string }) =>
      world.api("POST", `/v1/payments/payouts-item/${one.payout_item_id}/cancel`);
    expect(await cancel(unclaimed)).toMatchObject({ status: 200, body: { transaction_status: "RETURNED" } });
    for (const wrong of [unclaimed, paid])
      expect(await cancel(wrong)).toMatchObject({ status: 400, body: { name: "ITEM_INCORRECT_STATUS" } });
    expect(await ledger()).toMatchObject({ sums: { value: "1.00", fee: "0.25" }, sum: "0.00" });
  });

  test("may sign up and claim", async () => {
    const id = await pay("b1", item("ana+unclaimed@example.com", "10.00"));
    await world.advance("PT1S");
    const [{ payout_item_id }] = (await batch(id)).items;
    expect((await world.control("POST", `/_sandbox/paypal/items/${payout_item_id}/claim`)).body.status).toBe(
      "SUCCESS",
    );
    await world.advance("P31D");
    expect(await ledger()).toMatchObject({ paid: [{ status: "SUCCESS" }], sum: "0.00" });
    expect((await world.control("POST", `/_sandbox/paypal/items/${payout_item_id}/claim`)).status).toBe(409);
  });
});

test("a bogus PayPal id fails and, alone, denies the batch; so do 20,000.01 dollars", async () => {
  const bogus = await pay("b1", item("bogus", "10.00", { recipient_type: "PAYPAL_ID" }));
  const mixed = await pay(
    "b2",
    item("bogus", "10.00", { recipient_type: "PAYPAL_ID" }),
    item("ana@example.com", "1.00"),
  );
  const much = await pay("b3", item("ana@example.com", "20000.01"), item("ana@example.com", "20000.00"));
  await world.advance("PT1S");
  expect(await batch(bogus)).toMatchObject({
    batch_header: { batch_status: "DENIED", fees: { value: "0.00" } },
    items: [{ transaction_status: "FAILED", errors: { name: "RECEIVER_ACCOUNT_INVALID" } }],
  });
  expect((await batch(mixed)).batch_header.batch_status).toBe("SUCCESS");
  expect((await batch(much)).items).toMatchObject([
    { transaction_status: "FAILED", errors: { name: "SPENDING_LIMIT_EXCEEDED" } },
    { transaction_status: "SUCCESS" },
  ]);
});

test.each([
  ["ONHOLD", "release", "SUCCESS"],
  ["ONHOLD", "return", "RETURNED"],
  ["BLOCKED", "return", "RETURNED"],
  ["SUCCESS", "refund", "REFUNDED"],
  ["SUCCESS", "reverse", "REVERSED"],
])("a payment can be %s, then %s to %s, and the books still sum to zero", async (outcome, move, status) => {
  await world.control("PUT", "/_sandbox/paypal/receivers/ana@example.com", { outcome });
  const id = await pay("b1", item("ana@example.com", "10.00"));
  await world.advance("PT1S");
  const [{ payout_item_id, transaction_status }] = (await batch(id)).items;
  expect(transaction_status).toBe(outcome);
  expect((await world.control("POST", `/_sandbox/paypal/items/${payout_item_id}/${move}`)).body.status).toBe(
    status,
  );
  expect(await ledger()).toMatchObject({ paid: [{ status }], sum: "0.00", books: { held: "0.00" } });
});

test("what the balance cannot pay, fees included, is refused, and nothing is paid", async () => {
  await world.control("PUT", "/_sandbox/paypal/balance", { value: "10.24" });
  const refused = await world.api(
    "POST",
    "/v1/payments/payouts",
    payout("b1", item("ana@example.com", "10.00")),
  );
  expect(refused).toMatchObject({ status: 422, body: { name: "INSUFFICIENT_FUNDS" } });
  await world.control("PUT", "/_sandbox/paypal/balance", { value: "10.25" });
  await pay("b1", item("ana@example.com", "10.00"));
  await world.advance("PT1S");
  expect(await ledger()).toMatchObject({ balance: "0.00", books: { external: "-10.25" }, sum: "0.00" });
});

test("a long payout is read page by page", async () => {
  const items = Array.from({ length: 5 }, (_, index) => item(`c${index}@example.com`, "1.00"));
  const id = await pay("b1", ...items);
  const page = await batch(id, "?page=2&page_size=2&total_required=true");
  expect(page.items.map((one) => one.payout_item.receiver)).toEqual(["c2@example.com", "c3@example.com"]);
  expect([page.total_items, page.total_pages, page.links.map(({ rel }) => rel)]).toEqual([
    5,
    3,
    ["self", "next", "prev"],
  ]);
  expect(Object.keys(await batch(id, "?fields=batch_header"))).toEqual(["batch_header"]);
});

describe("Venmo", () => {
  test.each([
    ["a US mobile number", { recipient_type: "PHONE", receiver: "(415) 555-0134" }],
    ["a handle", { recipient_type: "USER_HANDLE", receiver: "@ana-makes" }],
  ])("pays %s, with a note", async (_who, whom) => {
    const id = await pay("b1", {
      ...item("x@y.zz", "5.00"),
      recipient_wallet: "VENMO",
      note: "January",
      ...whom,
    });
    await world.advance("PT1S");
    expect((await batch(id)).items).toMatchObject([{ transaction_status: "SUCCESS" }]);
  });

  test.each([
    ["no note", { recipient_type: "USER_HANDLE", receiver: "@ana-makes" }, "items[0].note"],
    ["an e-mail address", { note: "January" }, "items[0].recipient_type"],
    [
      "a number outside the US",
      { recipient_type: "PHONE", receiver: "+44 20 7946 0000", note: "January" },
      "items[0].receiver",
    ],
    [
      "a handle on the wallet PAYPAL",
      { recipient_type: "USER_HANDLE", receiver: "@ana-makes", recipient_wallet: "PAYPAL" },
      "items[0].recipient_wallet",
    ],
  ])("refuses %s", async (_what, wrong, field) => {
    const asked = payout("b1", { ...item("ana@example.com", "5.00"), recipient_wallet: "VENMO", ...wrong });
    expect((await world.api("POST", "/v1/payments/payouts", asked)).body).toMatchObject({
      name: "VALIDATION_ERROR",
      details: [{ field }],
    });
  });
});

test.each([
  ["ERRPYO001", 403, "SENDER_RESTRICTED"],
  ["ERRPYO002", 403, "SENDER_EMAIL_UNCONFIRMED"],
  ["ERRPYO003", 403, "AUTHORIZATION_ERROR"],
  ["ERRPYO005", 422, "INSUFFICIENT_FUNDS"],
  ["ERRPYO006", 500, "INTERNAL_ERROR"],
  ["ERRPYO010", 400, "VALIDATION_ERROR"],
  ["POSPYO001", 201, undefined],
])("the note %s makes PayPal answer %i %s", async (note, status, name) => {
  const answer = await world.api(
    "POST",
    "/v1/payments/payouts",
    payout("b1", item("ana@example.com", "5.00", { note })),
  );
  expect([answer.status, answer.body.name]).toEqual([status, name]);
});

describe("webhooks", () => {
  test("tell of the batch and of every item, signed; both ways to verify agree, and a changed byte is found out", async () => {
    const { body: webhook } = await world.api("POST", "/v1/notifications/webhooks", {
      url: world.receiver,
      event_types: [{ name: "*" }],
    });
    await pay("b1", item("ana@example.com", "30.13"), item("bo+unclaimed@example.com", "1.00"));
    await world.advance("PT1S");
    expect(world.heard.map(({ type }) => type)).toEqual([
      "PAYMENT.PAYOUTSBATCH.PROCESSING",
      "PAYMENT.PAYOUTS-ITEM.SUCCEEDED",
      "PAYMENT.PAYOUTS-ITEM.UNCLAIMED",
      "PAYMENT.PAYOUTSBATCH.SUCCESS",
    ]);
    const { body, headers } = world.heard[1]!;
    expect(JSON.parse(body)).toMatchObject({
      id: expect.stringMatching(/^WH-/),
      event_version: "1.0",
      resource_type: "payouts_item",
      resource: {
        transaction_status: "SUCCESS",
        sender_batch_id: "b1",
        payout_item: { sender_item_id: "item-ana@example.com" },
      },
    });
    const sent = (name: string) => String(headers[`paypal-${name}`]);
    const certificate = new X509Certificate(await (await fetch(sent("cert-url"))).text());
    const genuine = (text: string) =>
      createVerify("RSA-SHA256")
        .update(`${sent("transmission-id")}|${sent("transmission-time")}|${webhook.id}|${crc32(text)}`)
        .verify(certificate.publicKey, sent("transmission-sig"), "base64");
    expect([sent("auth-algo"), genuine(body), genuine(`${body} `)]).toEqual(["SHA256withRSA", true, false]);

    const verify = async (event: string, webhook_id = webhook.id) => {
      const claim = {
        auth_algo: sent("auth-algo"),
        cert_url: sent("cert-url"),
        transmission_id: sent("transmission-id"),
        transmission_sig: sent("transmission-sig"),
        transmission_time: sent("transmission-time"),
        webhook_id,
      };
      const text = `${JSON.stringify(claim).slice(0, -1)},"webhook_event":${event}}`;
      return (await world.api("POST", "/v1/notifications/verify-webhook-signature", text)).body
        .verification_status;
    };
    expect(await verify(body)).toBe("SUCCESS");
    expect(await verify(body.replace("30.13", "30.14"))).toBe("FAILURE");
    expect(await verify(JSON.stringify(JSON.parse(body), null, 1))).toBe("FAILURE");
    expect(await verify(body, "ANOTHER")).toBe("FAILURE");
  });

  test("can be changed, listed and deleted; a deleted one hears nothing", async () => {
    const asked = { url: world.receiver, event_types: [{ name: "PAYMENT.PAYOUTSBATCH.SUCCESS" }] };
    const { body: webhook } = await world.api("POST", "/v1/notifications/webhooks", asked);
    expect((await world.api("POST", "/v1/notifications/webhooks", asked)).body.name).toBe(
      "WEBHOOK_URL_ALREADY_EXISTS",
    );
    await pay("b1", item("ana@example.com", "1.00"));
    await world.advance("PT1S");
    expect(world.heard.map(({ type }) => type)).toEqual(["PAYMENT.PAYOUTSBATCH.SUCCESS"]);
    const { id } = JSON.parse(world.heard[0]!.body);
    expect((await world.api("GET", `/v1/notifications/webhooks-events/${id}`)).body.id).toBe(id);

    const path = `/v1/notifications/webhooks/${webhook.id}`;
    const value = [{ name: "PAYMENT.PAYOUTS-ITEM.SUCCEEDED" }];
    await world.api("PATCH", path, [{ op: "replace", path: "/event_types", value }]);
    expect((await world.api("GET", `${path}/event-types`)).body).toEqual({ event_types: value });
    expect((await world.api("GET", "/v1/notifications/webhooks")).body.webhooks).toMatchObject([
      { id: webhook.id, event_types: value },
    ]);
    expect((await world.api("DELETE", path)).status).toBe(204);
    expect((await world.api("GET", path)).status).toBe(404);
    await pay("b2", item("ana@example.com", "1.00"));
    await world.advance("PT1S");
    expect(world.heard).toHaveLength(1);
  });
});

test("after a restart the same certificate signs, and what was under way is paid", async () => {
  const directory = mkdtempSync("/tmp/paypal-again-");
  const first = await paypalWorld("2026-02-03T08:05:00.000Z", directory);
  await first.api("POST", "/v1/payments/payouts", payout("b1", item("ana+unclaimed@example.com", "10.00")));
  await first.advance("PT1S");
  const before = (await first.control("GET", "/_sandbox/paypal/ledger")).body;
  await first.close();
  const second = await paypalWorld("2026-02-03T08:05:00.000Z", directory);
  expect((await second.control("GET", "/_sandbox/paypal/ledger")).body).toEqual(before);
  await second.advance("P30D");
  expect((await second.control("GET", "/_sandbox/paypal/ledger")).body.paid).toMatchObject([
    { status: "RETURNED" },
  ]);
  await second.close();
});
