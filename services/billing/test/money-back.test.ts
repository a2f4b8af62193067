import { asCents } from "@tributary/contracts/money";
import { type App, as } from "@tributary/runtime/testing/harness";
import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { balance, whenDisputed, whenRefunded, whenReversed, whenWrittenOff } from "../src/ledger.ts";
import type { SeenBack } from "../src/stripe/partner.ts";
import { accrued, closing, comes, dayBegins, paidByPaypal, rests, through } from "./fixtures/money-story.ts";
import { partnersWorld } from "./fixtures/partners-world.ts";

vi.setConfig({ testTimeout: 120_000 });

const cents = (amount: number) => asCents(BigInt(amount));
const back = (
  of: Partial<Record<"refunded" | "reversed" | "fee_returned", number>>,
  dispute = null as SeenBack["dispute"],
) => ({
  stripe_payment_intent_id: "pi_1",
  metadata: {} as Record<string, string>,
  refunded_cents: cents(of.refunded ?? 0),
  reversed_cents: cents(of.reversed ?? 0),
  fee_returned_cents: cents(of.fee_returned ?? 0),
  dispute,
});
const disputed = (status: "open" | "won" | "lost", withdrawn: number, fee: number) => ({
  ...{ stripe_dispute_id: "du_1", status, reason: "fraudulent" },
  withdrawn_cents: cents(withdrawn),
  fee_cents: cents(fee),
});
const chargeOf = async (app: App) => {
  await rests(app);
  const brand = app.as(as.brand("b1"));
  const cycle = (await brand.get("/api/billing/cycles")).body.items.at(-1);
  const { charges, statements } = (await brand.get(`/api/billing/cycles/${cycle.cycle_id}`)).body;
  return { ...charges[0], cycle: cycle.status, paid: statements[0].paid };
};
const books = async (app: App) => {
  const { ledger, ledger_sum } = (await app.as(as.admin()).get("/api/billing/reconciliation")).body;
  return { ...ledger, sum: ledger_sum };
};
const told = async (app: App) =>
  (await app.events()).filter(({ type }) =>
    /^Charge(Refunded|TransferReversed|Disputed|WrittenOff)$/.test(type),
  );

/** c1's 20.00 of January are charged at 20.91 (by card), and Stripe says what went back of it. */
async function paid(rail: "stripe" | "paypal", outcomes: "processing"[] = []) {
  const world = await closing(outcomes.length > 0 ? "pm_bank" : "pm_card_visa", rail, outcomes);
  const { app, stripe } = world;
  let n = 0;
  return {
    ...world,
    async hears(event_type: string, seen: ReturnType<typeof back>, times = 1) {
      stripe.back.set("ch_1", { ...seen, metadata: stripe.intents.get("pi_1")!.metadata });
      n++;
      for (let time = 0; time < times; time++) {
        const notice = {
          stripe_event_id: `evt_${n}_${time % 2}`,
          environment: "test",
          event_type,
          object_id: "ch_1",
          account: null,
        };
        const headers = { "stripe-signature": "signed with whsec_1", "content-type": "application/json" };
        await app.as(null).post("/api/webhooks/stripe", JSON.stringify(notice), headers);
      }
      await rests(app);
    },
  };
}

test("a refund in two parts, each told three times, is booked once each and makes the brand's debt rise again", async () => {
  const { app, hears } = await paid("stripe");
  expect(await chargeOf(app)).toMatchObject({
    amount_grossed_cents: 2091,
    status: "succeeded",
    refunded_cents: 0,
  });
  await hears("charge.refunded", back({ refunded: 1000, reversed: 1000, fee_returned: 43 }), 3);
  expect(await chargeOf(app)).toMatchObject({ status: "succeeded", refunded_cents: 1000, paid: "10.43" });
  await hears("transfer.reversed", back({ refunded: 2091, reversed: 2091, fee_returned: 91 }), 3);
  expect(await chargeOf(app)).toMatchObject({ status: "refunded", cycle: "partially_settled", paid: "0.00" });
  expect(
    (await told(app)).map(({ type, data }) => [
      type,
      data.refunded_cents ?? data.reversed_cents,
      data.owed_again_cents,
    ]),
  ).toEqual([
    ["ChargeRefunded", 1000, 956],
    ["ChargeTransferReversed", 1000, undefined],
    ["ChargeRefunded", 1091, 1044],
    ["ChargeTransferReversed", 1091, undefined],
  ]);
  expect(await books(app)).toMatchObject({
    ...{
      brand_due: "20.0000",
      creator_due: "-20.0000",
      processing: "0.9100",
      cash_stripe: "-0.9100",
      sum: "0.0000",
    },
  });
});

test("a contested payment is disputed, given back when the bank decides so, and its creator keeps the money", async () => {
  const { app, hears } = await paid("paypal");
  const before = await books(app);
  await hears("charge.dispute.created", back({}, disputed("open", 2116, 1500)), 3);
  expect(await chargeOf(app)).toMatchObject({
    ...{ status: "disputed", cycle: "partially_settled", paid: "20.00" },
    dispute: { status: "open", reason: "fraudulent", withdrawn_cents: 2116 },
  });
  expect(await books(app)).toMatchObject({ brand_due: "20.0000", creator_due: "0.0000", sum: "0.0000" });
  const { charge_id } = await chargeOf(app);
  const admin = app.as(as.admin());
  const writeOff = `/api/billing/charges/${charge_id}/write-off`;
  expect((await admin.post(writeOff, { reason: "too small" })).body.code).toBe("dispute_open");

  await hears("charge.dispute.closed", back({}, disputed("won", 0, 0)));
  expect(await chargeOf(app)).toMatchObject({
    status: "succeeded",
    cycle: "settled",
    dispute: { status: "won" },
  });
  expect(await books(app)).toEqual(before);
});

test("what a lost dispute leaves owed can be written off by the platform, once, and by nobody else", async () => {
  const { app, hears } = await paid("paypal");
  await hears("charge.dispute.closed", back({}, disputed("lost", 2116, 1500)));
  const { charge_id } = await chargeOf(app);
  const url = `/api/billing/charges/${charge_id}/write-off`;
  expect((await app.as(as.brand("b1")).post(url, { reason: "please" })).status).toBe(403);
  for (let time = 0; time < 2; time++)
    expect((await app.as(as.admin()).post(url, { reason: "not worth it" })).body.status).toBe("written_off");
  expect(await chargeOf(app)).toMatchObject({ status: "written_off", cycle: "partially_settled" });
  expect(await books(app)).toMatchObject({ brand_due: "0.0000", writeoff: "20.0000", sum: "0.0000" });
  expect((await told(app)).filter(({ type }) => type === "ChargeWrittenOff")).toMatchObject([
    { data: { owed_cents: 2000, reason: "not worth it" } },
  ]);
  await hears("charge.dispute.closed", back({}, disputed("lost", 2116, 1500)));
  expect((await chargeOf(app)).status).toBe("written_off");
});

test("a dispute heard before the payment it is about makes both known, in their order", async () => {
  const { app, stripe, paypal, hears } = await paid("paypal", ["processing"]);
  stripe.bankAnswers("pi_1", "succeeds");
  await hears("charge.dispute.created", back({}, disputed("lost", 2025, 1500)));
  expect(await chargeOf(app)).toMatchObject({ status: "disputed" });
  const types = (await app.events())
    .filter(({ stream }) => stream.startsWith("charge/"))
    .map(({ type }) => type);
  expect(types.slice(-2)).toEqual(["ChargeSucceeded", "ChargeDisputed"]);
  expect(paypal.sent.length).toBeLessThanOrEqual(1);
});

test("a payout that has not been sent is held while its brand's bank contests the charge", async () => {
  const { app, stripe, paypal, hears } = await paid("paypal", ["processing"]);
  paypal.answers = ["short"];
  stripe.bankAnswers("pi_1", "succeeds");
  stripe.intents.set("ch_1", stripe.intents.get("pi_1")!);
  await hears("payment_intent.succeeded", back({}));
  await hears("charge.dispute.created", back({}, disputed("open", 2025, 1500)));
  await comes(app, "2026-02-03T10:00:00Z");
  expect(paypal.sent).toEqual([]);
  await hears("charge.dispute.closed", back({}, disputed("won", 0, 0)));
  await comes(app, "2026-02-04T11:00:00Z");
  expect(paypal.sent).toHaveLength(1);
});

test("every entry for money that went back adds up to nothing", () => {
  const any = fc.bigInt({ min: -9_999_999n, max: 9_999_999n }).map(asCents);
  fc.assert(
    fc.property(any, any, any, (one, two, three) => {
      for (const entry of [
        whenRefunded({ refunded_cents: one, owed_again_cents: two }),
        whenReversed({ reversed_cents: one, fee_returned_cents: two }),
        whenDisputed({ withdrawn_cents: one, fee_cents: two, owed_again_cents: three }),
        whenWrittenOff({ owed_cents: one }),
      ])
        expect(balance(entry)).toBe(0n);
    }),
  );
});

test("with Stripe itself: a debit taken back and a card refunded, webhooks tripled and shuffled, and both books agree", async () => {
  const { app, control, url, comes: both, pays } = await partnersWorld("2026-01-20T20:00:00Z");
  await control("PUT", "/webhooks/modes", { duplicate: 3, shuffle: 7 });
  await dayBegins(app, "2026-01-20");
  await pays("b1", "pm_usBankAccount_dispute");
  await pays("b2", "pm_card_visa");
  await app.as(as.creator("c1")).post("/api/creator-payment-methods/stripe-onboarding");
  const opened = (await app.events()).find(({ type }) => type === "PayoutAccountOpened")!;
  await control("POST", `/stripe/accounts/${opened.data.stripe_account_id}/complete`);
  await both("2026-01-20T20:01:00Z");
  await paidByPaypal(app, "c2");
  for (const brand of ["b1", "b2"]) {
    for (const creator of ["c1", "c2"]) {
      const of = { earning: `${brand}${creator}`, brand, creator, date: "2026-01-18", amount: "30.1250" };
      await app.hear(`earning/${of.earning}`, accrued(of));
    }
    await app.hear(`accrual/${brand}`, through("2026-02-02", brand));
  }
  await rests(app);
  await dayBegins(app, "2026-02-03");
  await control("POST", "/clock", { to: "2026-02-03T08:04:00Z" });
  for (const at of ["03T08:05", "07T11:00", "08T11:00"]) await both(`2026-02-${at}:00Z`);
  const charges = (await app.as(as.admin()).get("/api/billing/reconciliation")).body.charges;
  const own = charges.find((one: Record<string, string>) => one.brand_id === "b2" && one.creator_id === "c1");
  const refund = (amount: string) =>
    fetch(`${url}/v1/refunds`, {
      method: "POST",
      headers: { authorization: "Bearer sk_test_1" },
      body: new URLSearchParams({
        payment_intent: own.stripe_payment_intent_id,
        ...(amount ? { amount } : {}),
        reverse_transfer: "true",
        refund_application_fee: "true",
      }),
    });
  expect((await refund("1000")).status).toBe(200);
  await both("2026-02-08T11:05:00Z");
  expect((await refund("")).status).toBe(200);
  await both("2026-02-08T11:10:00Z");

  const ours = (await app.as(as.admin()).get("/api/billing/reconciliation")).body;
  const statuses = ours.charges.map((one: Record<string, string>) => `${one.brand_id} ${one.status}`).sort();
  expect(statuses).toEqual(["b1 disputed", "b1 disputed", "b2 refunded", "b2 succeeded"]);
  const { balances } = await control("GET", "/stripe/ledger");
  expect(Number(ours.ledger.cash_stripe) * 100).toBeCloseTo(balances.platform, 4);
  expect(ours.ledger_sum).toBe("0.0000");
  expect(ours.payouts.filter(({ status }: { status: string }) => status === "succeeded")).toHaveLength(4);
  expect(await app.held()).toEqual([]);
});
