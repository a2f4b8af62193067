import { type App, as } from "@tributary/runtime/testing/harness";
import { expect, test, vi } from "vitest";
import { accrued, closing, comes, dayBegins, paidByPaypal, rests, through } from "./fixtures/money-story.ts";
import { partnersWorld } from "./fixtures/partners-world.ts";

vi.setConfig({ testTimeout: 120_000 });

const creator = (app: App, id = "c1") => app.as(as.creator(id));
const payoutOf = async (app: App, id = "c1") => {
  await rests(app);
  return (await creator(app, id).get("/api/earnings/payouts")).body.items[0];
};
const resend = async (app: App, id = "c1") =>
  creator(app, id).post(`/api/earnings/payouts/${(await payoutOf(app, id)).payout_id}/resend`);
const corrected = (app: App, id = "c1") =>
  creator(app, id).put("/api/creator-payment-destinations/me", {
    preferred_method: "paypal",
    paypal_email: `right-${id}@mail.test`,
  });
const webhook = async (app: App, id: string, payout_item_id: string) => {
  const notice = {
    paypal_event_id: id,
    event_type: "PAYMENT.PAYOUTS-ITEM.X",
    payout_item_id,
    payout_batch_id: null,
  };
  const headers = { "paypal-transmission-sig": "good", "content-type": "application/json" };
  await app.as(null).post("/api/webhooks/paypal", JSON.stringify(notice), headers);
  await rests(app);
};
const first = "item of pay:2026-01:b1:c1:a1";

test("what nobody claims waits on the creator for 30 days, and is taken back once they have corrected their address", async () => {
  const { app, paypal } = await closing("pm_card_visa", "paypal", [], {}, false, (partner) => {
    partner.status = "unclaimed";
  });
  expect(await payoutOf(app)).toMatchObject({
    status: "unclaimed",
    waiting: { on: "creator", can_resend: true, until: "2026-03-05T08:05:00.000Z" },
  });
  expect((await resend(app)).body.code).toBe("same_destination");
  await corrected(app);
  paypal.status = "succeeded";
  expect(
    (await creator(app, "c2").post(`/api/earnings/payouts/${(await payoutOf(app)).payout_id}/resend`)).status,
  ).toBe(404);
  const both = await Promise.all([resend(app), resend(app)]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect(await payoutOf(app)).toMatchObject({
    status: "succeeded",
    waiting: null,
    earlier: [{ status: "returned", paypal_payout_item_id: first }],
  });
  expect(paypal.sent.map(({ sender_batch_id, receiver }) => [sender_batch_id, receiver])).toEqual([
    ["pay:2026-01:b1:c1:a1", "c1@mail.test"],
    ["pay:2026-01:b1:c1:a2", "right-c1@mail.test"],
  ]);
});

test("what is still with PayPal is never sent a second time, and what was claimed meanwhile neither", async () => {
  const { app, paypal } = await closing("pm_card_visa", "paypal", [], {}, false, (partner) => {
    partner.status = "on_hold";
  });
  await corrected(app);
  expect(await payoutOf(app)).toMatchObject({
    status: "on_hold",
    waiting: { on: "paypal", can_resend: false },
  });
  expect((await resend(app)).body.code).toBe("payout_under_way");
  paypal.becomes("blocked");
  await webhook(app, "WH-1", first);
  expect(await payoutOf(app)).toMatchObject({ status: "blocked", waiting: { on: "paypal" } });
  expect((await resend(app)).body.code).toBe("payout_under_way");
  paypal.becomes("unclaimed");
  await webhook(app, "WH-2", first);
  expect((await payoutOf(app)).status).toBe("blocked");
  paypal.becomes("succeeded");
  expect((await resend(app)).body.code).toBe("payout_under_way");
  await comes(app, "2026-02-03T09:06:00Z");
  expect((await payoutOf(app)).status).toBe("succeeded");
  expect(paypal.sent).toHaveLength(1);
});

test("what PayPal says late of an attempt that is over doesn't touch the next", async () => {
  const { app, paypal } = await closing("pm_card_visa", "paypal", [], {}, false, (partner) => {
    partner.status = "failed";
  });
  expect(await payoutOf(app)).toMatchObject({
    status: "failed",
    waiting: { on: "creator", can_resend: true },
  });
  paypal.status = "pending";
  expect((await resend(app)).body).toMatchObject({ attempt: 2 });
  await webhook(app, "WH-1", first);
  await webhook(app, "WH-2", first);
  expect((await payoutOf(app)).status).toBe("submitted");
  paypal.becomes("succeeded", "batch of pay:2026-01:b1:c1:a2");
  await webhook(app, "WH-3", "item of pay:2026-01:b1:c1:a2");
  expect((await payoutOf(app)).status).toBe("succeeded");
});

test("money sent back of which nobody told us that it had arrived is booked as paid and as returned", async () => {
  const { app, paypal } = await closing("pm_card_visa", "paypal", [], {}, false, (partner) => {
    partner.status = "pending";
  });
  paypal.becomes("refunded");
  await webhook(app, "WH-1", first);
  expect(await payoutOf(app)).toMatchObject({ status: "refunded", paid_at: null });
  const { ledger, ledger_sum } = (await app.as(as.admin()).get("/api/billing/reconciliation")).body;
  expect([ledger.creator_due, ledger.cash_paypal, ledger_sum]).toEqual(["-20.0000", "-0.2500", "0.0000"]);
});

test("money that PayPal took back by itself, which it tells nobody, is found when the payout is looked at after 30 days", async () => {
  const { app, paypal } = await closing("pm_card_visa", "paypal", []);
  expect((await payoutOf(app)).status).toBe("succeeded");
  paypal.becomes("reversed");
  await comes(app, "2026-03-05T08:04:00Z");
  expect((await payoutOf(app)).status).toBe("succeeded");
  await comes(app, "2026-03-05T08:05:00Z");
  expect(await payoutOf(app)).toMatchObject({
    status: "reversed",
    waiting: { on: "creator", can_resend: true },
  });
});

test("with PayPal itself: every state an item can come to, webhooks tripled and shuffled, and its books agree with ours", async () => {
  const { app, control, comes: both, pays } = await partnersWorld("2026-01-20T20:00:00Z");
  await control("PUT", "/webhooks/modes", { duplicate: 3, shuffle: 7 });
  await dayBegins(app, "2026-01-20");
  await pays("b1", "pm_card_visa");
  const outcomes = {
    c1: "UNCLAIMED",
    c2: "ONHOLD",
    c3: "BLOCKED",
    c4: "FAILED",
    c5: "SUCCESS",
    c6: "UNCLAIMED",
  };
  for (const [id, outcome] of Object.entries(outcomes)) {
    await paidByPaypal(app, id);
    await control("PUT", `/paypal/receivers/${id}@mail.test`, { outcome });
    const of = { earning: `e${id}`, creator: id, date: "2026-01-18", amount: "20.0000" };
    await app.hear(`earning/${of.earning}`, accrued(of));
  }
  await app.hear("accrual/b1", through("2026-02-02"));
  await rests(app);
  await dayBegins(app, "2026-02-03");
  await control("POST", "/clock", { to: "2026-02-03T08:04:00Z" });
  await both("2026-02-03T08:05:00Z");
  const statuses = async () =>
    Promise.all(Object.keys(outcomes).map(async (id) => (await payoutOf(app, id)).status));
  expect(await statuses()).toEqual(["unclaimed", "on_hold", "blocked", "failed", "succeeded", "unclaimed"]);

  const moves = async (id: string, move: string) =>
    control("POST", `/paypal/items/${(await payoutOf(app, id)).paypal_payout_item_id}/${move}`);
  await moves("c2", "release");
  await moves("c3", "return");
  await moves("c5", "refund");
  await corrected(app, "c1");
  expect((await resend(app, "c1")).status).toBe(200);
  await both("2026-02-03T08:07:00Z");
  expect(await statuses()).toEqual(["succeeded", "succeeded", "returned", "failed", "refunded", "unclaimed"]);

  for (const id of ["c3", "c4", "c5"]) {
    await corrected(app, id);
    expect((await resend(app, id)).status).toBe(200);
  }
  await both("2026-02-03T08:09:00Z");
  await both("2026-03-05T08:05:00Z");
  expect(await statuses()).toEqual([
    "succeeded",
    "succeeded",
    "succeeded",
    "succeeded",
    "succeeded",
    "returned",
  ]);
  expect(await payoutOf(app, "c6")).toMatchObject({ waiting: { on: "creator", can_resend: true } });
  const { ledger, ledger_sum } = (await app.as(as.admin()).get("/api/billing/reconciliation")).body;
  const { books } = await control("GET", "/paypal/ledger");
  expect(ledger_sum).toBe("0.0000");
  expect(Number(books.balance) - 100_000).toBeCloseTo(Number(ledger.cash_paypal), 4);
  expect(await app.held()).toEqual([]);
});
