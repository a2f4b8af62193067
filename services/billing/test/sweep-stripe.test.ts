import { asCents } from "@tributary/contracts/money";
import { type App, as } from "@tributary/runtime/testing/harness";
import { expect, test, vi } from "vitest";
import type { FakeStripe } from "./fixtures/fake-stripe.ts";
import { accrued, closing, comes, dayBegins, paidByPaypal, rests, through } from "./fixtures/money-story.ts";
import { partnersWorld } from "./fixtures/partners-world.ts";

vi.setConfig({ testTimeout: 120_000 });

const statusOf = async (app: App) => {
  await rests(app);
  return (await app.as(as.admin()).get("/api/billing/result")).body.cycles[0].lines[0].charge_status;
};
const told = (stripe: FakeStripe, at: string, id: string, event_type = "payment_intent.succeeded") =>
  stripe.events.push({
    at,
    notice: { stripe_event_id: id, environment: "test", event_type, object_id: "pi_1", account: null },
  });
const inbox = async (app: App) =>
  (await app.events())
    .filter(({ type }) => type === "StripeEventReceived")
    .map(({ data }) => data.stripe_event_id);
const swept = async (app: App) =>
  (await app.events())
    .filter(({ type }) => type === "StripeEventsSwept")
    .map(({ data }) => [data.through, data.missed]);

test("what no webhook brought is found the next night and acted upon, once, whatever arrives later", async () => {
  const { app, stripe } = await closing("pm_bank", "stripe", ["processing"]);
  stripe.bankAnswers("pi_1", "succeeds");
  await comes(app, "2026-02-04T08:06:00Z");
  told(stripe, "2026-02-04T11:00:00.000Z", "evt_1");
  told(stripe, "2026-02-04T11:00:00.000Z", "evt_2", "customer.updated");
  told(stripe, "2026-02-05T08:01:00.000Z", "evt_3", "payment_intent.processing");
  await comes(app, "2026-02-04T20:00:00Z");
  expect(await statusOf(app)).toBe("processing");
  await comes(app, "2026-02-05T08:05:00Z");
  expect(await statusOf(app)).toBe("succeeded");
  expect((await inbox(app)).sort()).toEqual(["evt_1", "evt_3"]);

  const late = { ...stripe.events[0]!.notice };
  const headers = { "stripe-signature": "signed with whsec_1", "content-type": "application/json" };
  await app.as(null).post("/api/webhooks/stripe", JSON.stringify(late), headers);
  await comes(app, "2026-02-06T08:05:00Z");
  expect((await inbox(app)).sort()).toEqual(["evt_1", "evt_3"]);
  expect((await swept(app)).slice(-2)).toEqual([
    ["2026-02-05", 2],
    ["2026-02-06", 0],
  ]);
});

test("after days in which nobody could ask, every one of them is asked about", async () => {
  const { app, stripe } = await closing("pm_bank", "stripe", ["processing"]);
  stripe.bankAnswers("pi_1", "succeeds");
  told(stripe, "2026-02-03T09:00:00.000Z", "evt_early");
  told(stripe, "2026-02-05T11:00:00.000Z", "evt_middle", "payment_intent.processing");
  await comes(app, "2026-02-08T08:04:00Z");
  await comes(app, "2026-02-08T08:05:00Z");
  expect((await inbox(app)).sort()).toEqual(["evt_early", "evt_middle"]);
  expect((await swept(app)).reduce((sum, [, missed]) => sum + Number(missed), 0)).toBe(2);
});

test("what the partners took beside what was expected stands in the reconciliation", async () => {
  const { app, stripe, paypal } = await closing("pm_card_visa", "paypal", ["declined"]);
  stripe.surcharge = 7n;
  paypal.fee = asCents(35n);
  await comes(app, "2026-02-06T11:00:00Z");
  await rests(app);
  const { body } = await app.as(as.admin()).get("/api/billing/reconciliation");
  expect(body.charges).toMatchObject([{ fee: "0.98", fee_expected: "0.91", fee_difference: "0.07" }]);
  expect(body.payouts).toMatchObject([{ fee_cents: 35, fee_expected_cents: 25 }]);
  expect(body.fees).toEqual({
    processing: { expected: "0.91", taken: "0.98", difference: "0.07" },
    payouts: { expected: "0.25", taken: "0.35", difference: "0.10" },
  });
  expect(body.ledger).toMatchObject({ processing: "0.0700", payout_fees: "0.1000" });
});

test("with Stripe itself: a dispute of which every webhook was lost is known the next night", async () => {
  const { app, control, comes: both, pays } = await partnersWorld("2026-01-20T20:00:00Z");
  const drop = ["created", "funds_withdrawn", "closed"].map((what) => `charge.dispute.${what}`);
  await control("PUT", "/webhooks/modes", { drop: [...drop, "mandate.updated"], duplicate: 3, shuffle: 7 });
  await dayBegins(app, "2026-01-20");
  await pays("b1", "pm_usBankAccount_dispute");
  await paidByPaypal(app, "c1");
  await app.hear("earning/e1", accrued({ date: "2026-01-18", amount: "20.0000" }));
  await app.hear("accrual/b1", through("2026-02-02"));
  await rests(app);
  await dayBegins(app, "2026-02-03");
  await control("POST", "/clock", { to: "2026-02-03T08:04:00Z" });
  for (const at of ["03T08:05", "07T11:00", "08T11:00"]) await both(`2026-02-${at}:00Z`);
  expect(await statusOf(app)).toBe("succeeded");
  await both("2026-02-09T08:05:00Z");
  expect(await statusOf(app)).toBe("disputed");
  const { items } = (await app.as(as.brand("b1")).get("/api/payment-methods")).body;
  expect(items).toMatchObject([{ verification_status: "failed", reason: "mandate_inactive" }]);
  expect(await app.held()).toEqual([]);
});
