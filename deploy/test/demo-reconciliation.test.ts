import { Reconciliation } from "@tributary/contracts/http/billing";
import { formatE4, parseE4 } from "@tributary/contracts/money";
import { describe, expect, it } from "vitest";
import { complaints, reconcile, type TheirBooks } from "../src/demo/reconciliation.ts";

const at = { month: "2026-01", brand_id: "b" };
const row = {
  ...{ ...at, carried_in: "0.0000", carried_out: "0.0000", fees: "0.0000" },
  ...{ adjusted: "0.0000", rounded: "0.0000" },
};
const payout = {
  ...{ ...at, cycle_id: "c", status: "succeeded", failure_reason: null, stripe_transfer_id: null },
  ...{ paypal_payout_batch_id: null, paypal_payout_item_id: null, paid_at: null },
  ...{ waiting: null, earlier: [] },
};

/** A brand that paid one creator 30.13 by Stripe and another 42.38 by PayPal. */
const ours = Reconciliation.parse({
  rows: [
    { ...row, creator_id: "ana", earned: "33.1300", adjusted: "-3.0000", charged: "30.13", paid: "30.13" },
    { ...row, creator_id: "bo", earned: "42.3800", charged: "42.38", paid: "42.38" },
  ],
  charges: [
    {
      ...{ ...at, charge_id: "ch1", creator_id: "ana", status: "succeeded", stripe_transfer_id: "tr1" },
      ...{ stripe_payment_intent_id: "pi1", gross: "31.34", fee: "1.21" },
      ...{ fee_expected: "1.21", fee_difference: "0.00" },
    },
    {
      ...{ ...at, charge_id: "ch2", creator_id: null, status: "succeeded", stripe_transfer_id: null },
      ...{ stripe_payment_intent_id: "pi2", gross: "44.21", fee: "1.58" },
      ...{ fee_expected: "1.58", fee_difference: "0.00" },
    },
    {
      ...{ ...at, charge_id: "ch3", creator_id: "dev", status: "failed", stripe_transfer_id: null },
      ...{ stripe_payment_intent_id: null, gross: "12.00", fee: null },
      ...{ fee_expected: "0.65", fee_difference: null },
    },
  ],
  payouts: [
    {
      ...{ ...payout, payout_id: "po1", creator_id: "ana", charge_id: "ch1", statement_id: "s1" },
      ...{ rail: "stripe", amount: "30.13", fee_cents: 0, fee_expected_cents: 0 },
    },
    {
      ...{ ...payout, payout_id: "po2", creator_id: "bo", charge_id: "ch2", statement_id: "s2" },
      ...{ rail: "paypal", amount: "42.38", fee_cents: 25, fee_expected_cents: 25 },
    },
  ],
  fees: {
    processing: { expected: "2.79", taken: "2.79", difference: "0.00" },
    payouts: { expected: "0.25", taken: "0.25", difference: "0.00" },
  },
  ledger: { cash_stripe: "42.6300", cash_paypal: "-42.6300" },
  ledger_sum: "0.0000",
  difference: "0.0000",
});

const intent = { refunded_cents: 0, status: "succeeded", metadata: {} };
const theirs: TheirBooks = {
  owed: [
    { brand_id: "b", creator_id: "ana", amount: parseE4("30.1300")! },
    { brand_id: "b", creator_id: "bo", amount: parseE4("42.3800")! },
  ],
  stripe: {
    balances: { platform: 4263 },
    sum: 0,
    charges: [
      {
        ...{ ...intent, payment_intent: "pi1", amount_cents: 3134, fee_cents: 121 },
        ...{ destination: "acct_ana", transferred_cents: 3013 },
      },
      {
        ...{ ...intent, payment_intent: "pi2", amount_cents: 4421, fee_cents: 158 },
        ...{ destination: null, transferred_cents: 0 },
      },
    ],
  },
  paypal: {
    ...{ balance: "957.37", books: {}, sum: "0.00" },
    paid: [
      {
        ...{ sender_batch_id: "batch", sender_item_id: "po2", payout_item_id: "item" },
        ...{ value: "42.38", fee: "0.25", status: "SUCCESS" },
      },
    ],
  },
  paypal_before: "1000.00",
  asked: {
    charges: [
      { charge_id: "ch1", cents: 3134n },
      { charge_id: "ch2", cents: 4421n },
    ],
    payouts: [{ payout_id: "po2", value: "42.38" }],
  },
};

interface Sides {
  readonly ours: typeof ours;
  readonly theirs: TheirBooks;
}

/** The same books with other values in some places, e.g. at `theirs.paypal.sum`. */
function withOther(changes: Readonly<Record<string, unknown>>): Sides {
  const sides = structuredClone<Sides>({ ours, theirs });
  for (const [path, value] of Object.entries(changes)) {
    const steps = path.split(".");
    const last = steps.pop()!;
    const at = steps.reduce<unknown>((here, step) => Reflect.get(here as object, step), sides) as object;
    expect(Reflect.get(at, last)).toBeTypeOf(typeof value);
    Reflect.set(at, last, value);
  }
  return sides;
}

const ONE_CENT: readonly [what: string, path: string, value: unknown][] = [
  ["Stripe took a cent more", "theirs.stripe.charges.0.amount_cents", 3135],
  ["Stripe's fee is a cent more", "theirs.stripe.charges.1.fee_cents", 159],
  ["Stripe passed on a cent more", "theirs.stripe.charges.0.transferred_cents", 3014],
  ["Stripe was asked for a cent more", "theirs.asked.charges.1.cents", 4422n],
  ["Stripe holds a cent more", "theirs.stripe.balances.platform", 4264],
  ["Stripe's books gained a cent", "theirs.stripe.sum", 1],
  ["PayPal paid a cent more", "theirs.paypal.paid.0.value", "42.39"],
  ["PayPal's fee is a cent more", "theirs.paypal.paid.0.fee", "0.26"],
  ["PayPal was asked for a cent more", "theirs.asked.payouts.0.value", "42.39"],
  ["PayPal holds a cent less", "theirs.paypal.balance", "957.36"],
  ["PayPal's books gained a cent", "theirs.paypal.sum", "0.01"],
  ["the shop sold a cent more", "theirs.owed.1.amount", 423_900n],
  ["we booked a cent more", "ours.rows.1.earned", "42.3900"],
  ["our Stripe account has a cent more", "ours.ledger.cash_stripe", "42.6400"],
  ["our books gained a cent", "ours.ledger_sum", "0.0100"],
  ["a cent was lost on the way", "ours.difference", "0.0100"],
];

describe("reconciling our books with the partners'", () => {
  it("finds every difference 0.0000 where both tell the same", () => {
    const verdict = reconcile(ours, theirs);
    expect(complaints(verdict)).toEqual([]);
    expect(formatE4(verdict.difference)).toBe("0.0000");
    expect(verdict.compared.length).toBeGreaterThanOrEqual(16);
  });

  it.each(ONE_CENT)("sees red when %s", (_, path, value) => {
    const { ours, theirs } = withOther({ [path]: value });
    const verdict = reconcile(ours, theirs);
    expect(formatE4(verdict.difference)).toBe("0.0100");
    expect(complaints(verdict)).toHaveLength(1);
  });

  it("sees red, on every side it is compared with, when we say a charge or a payout was a cent more", () => {
    const charged = withOther({ "ours.charges.0.gross": "31.35" });
    expect(formatE4(reconcile(charged.ours, charged.theirs).difference)).toBe("0.0200");
    const paid = withOther({ "ours.payouts.1.amount": "42.39" });
    expect(formatE4(reconcile(paid.ours, paid.theirs).difference)).toBe("0.0200");
  });

  it("sees red by all of a charge or payout that only the partner knows", () => {
    const sides = withOther({
      "ours.charges": ours.charges.slice(1),
      "ours.payouts": ours.payouts.slice(0, 1),
    });
    const told = complaints(reconcile(sides.ours, sides.theirs)).join("\n");
    expect(told).toMatch(/charge pi1, gross: ours 0\.0000, theirs 31\.3400/);
    expect(told).toMatch(/payout po2, paid: ours 0\.0000, theirs 42\.3800/);
  });

  it("sees red by all of a charge or payout that only we know", () => {
    const sides = withOther({
      "theirs.stripe.charges": theirs.stripe.charges.slice(0, 1),
      "theirs.paypal.paid": [],
      "theirs.asked.payouts": [],
    });
    const told = complaints(reconcile(sides.ours, sides.theirs)).join("\n");
    expect(told).toMatch(/charge ch2, gross: ours 44\.2100, theirs 0\.0000/);
    expect(told).toMatch(/payout po2, paid: ours 42\.3800, theirs 0\.0000/);
    expect(told).toMatch(/payout po2, asked: ours 42\.3800, theirs 0\.0000/);
  });

  it("sees red when a charge that failed with us succeeded with the partner", () => {
    const taken = {
      ...{ ...intent, payment_intent: "pi3", amount_cents: 1200, fee_cents: 65 },
      ...{ destination: null, transferred_cents: 0 },
    };
    const sides = withOther({ "theirs.stripe.charges": [...theirs.stripe.charges, taken] });
    expect(formatE4(reconcile(sides.ours, sides.theirs).difference)).toBe("12.0000");
  });
});
