import { type App, as } from "@tributary/runtime/testing/harness";
import { expect, test } from "vitest";
import type { FakePaypal } from "./fixtures/fake-paypal.ts";
import {
  accrued,
  comes,
  dayBegins,
  paidByPaypal,
  pays,
  rests,
  story,
  through,
} from "./fixtures/money-story.ts";

/** The brand is charged at the close for what PayPal pays c1: 20.00. */
async function paying(prepare: (paypal: FakePaypal) => void) {
  const { app, paypal } = await story("2026-01-20T20:00:00Z");
  await dayBegins(app, "2026-01-20");
  await pays(app, "b1");
  await paidByPaypal(app, "c1");
  await app.hear("earning/e1", accrued({ date: "2026-01-18", amount: "20.0000" }));
  await app.hear("accrual/b1", through("2026-02-02"));
  prepare(paypal);
  await comes(app, "2026-02-03T08:05:00Z");
  return { app, paypal };
}

const payoutOf = async (app: App) =>
  (await app.as(as.creator("c1")).get("/api/earnings/payouts")).body.items[0];
const ledger = async (app: App) => (await app.as(as.admin()).get("/api/billing/reconciliation")).body.ledger;
const webhook = (app: App, id: string, body: object, sig = "good") =>
  app.as(null).post("/api/webhooks/paypal", JSON.stringify({ paypal_event_id: id, ...body }), {
    "paypal-transmission-sig": sig,
    "content-type": "application/json",
  });
const itemEvent = {
  event_type: "PAYMENT.PAYOUTS-ITEM.X",
  payout_item_id: "item of pay:2026-01:b1:c1:a1",
  payout_batch_id: null,
};

test("a payout whose answer was lost is adopted, not paid twice", async () => {
  const { app, paypal } = await paying((paypal) => {
    paypal.answers = ["lost"];
  });
  expect(await payoutOf(app)).toMatchObject({ status: "succeeded", amount: "20.00", fee_cents: 25 });
  expect(paypal.sent).toHaveLength(1);
});

test("an unclaimed payout is not paid; claimed it is, and told twice or late it stays so", async () => {
  const { app, paypal } = await paying((paypal) => {
    paypal.status = "unclaimed";
  });
  expect(await payoutOf(app)).toMatchObject({ status: "unclaimed", paid_at: null });
  expect(await ledger(app)).toMatchObject({ creator_due: "-20.0000", cash_paypal: "0.0000" });

  paypal.becomes("succeeded");
  for (const id of ["WH-1", "WH-1", "WH-2"]) expect((await webhook(app, id, itemEvent)).status).toBe(200);
  await rests(app);
  expect(await payoutOf(app)).toMatchObject({ status: "succeeded" });
  expect(await ledger(app)).toMatchObject({
    creator_due: "0.0000",
    cash_paypal: "-20.2500",
    payout_fees: "0.0000",
  });
});

test("a payout that comes back is owed again", async () => {
  const { app, paypal } = await paying(() => undefined);
  paypal.becomes("returned");
  await webhook(app, "WH-1", itemEvent);
  await rests(app);
  expect(await payoutOf(app)).toMatchObject({ status: "returned", paid_at: null });
  expect(await ledger(app)).toMatchObject({ creator_due: "-20.0000", cash_paypal: "-0.2500" });
});

test("a payout nobody tells us about is asked for every hour", async () => {
  const { app, paypal } = await paying((paypal) => {
    paypal.status = "pending";
  });
  expect(await payoutOf(app)).toMatchObject({ status: "submitted" });
  paypal.becomes("succeeded");
  await comes(app, "2026-02-03T09:06:00Z");
  expect(await payoutOf(app)).toMatchObject({ status: "succeeded" });
});

test("a payout waits while our balance at PayPal is short", async () => {
  const { app } = await paying((paypal) => {
    paypal.answers = ["short"];
  });
  expect(await payoutOf(app)).toMatchObject({ status: "queued" });
  await comes(app, "2026-02-03T09:06:00Z");
  expect(await payoutOf(app)).toMatchObject({ status: "succeeded" });
});

test("a payout that PayPal will never take has failed, with its reason", async () => {
  const { app } = await paying((paypal) => {
    paypal.answers = ["refused"];
  });
  expect(await payoutOf(app)).toMatchObject({ status: "failed", failure_reason: "RECEIVER_INVALID" });
});

test("a webhook that PayPal did not sign is refused and leaves no trace", async () => {
  const { app } = await paying(() => undefined);
  expect((await webhook(app, "WH-9", itemEvent, "forged")).status).toBe(400);
  expect((await app.events()).some(({ stream }) => stream === "paypal-event/WH-9")).toBe(false);
});
