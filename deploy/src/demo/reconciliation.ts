import type { Reconciliation } from "@tributary/contracts/http/billing";
import { asE4, type E4, formatE4, NO_E4, parseE4, sum } from "@tributary/contracts/money";
import type { PaypalLedger, StripeLedger } from "../driver/partners.ts";
import { grouped } from "./grouped.ts";

/** What the partners' journal says was asked of them and taken on: one entry per order, repetitions of it left out. */
export interface Asked {
  /** By our charge id: the amounts in cents of the payment intents that Stripe accepted. */
  readonly charges: readonly { readonly charge_id: string; readonly cents: bigint }[];
  /** By our payout id: the amounts, decimal text, of the payouts that PayPal accepted. */
  readonly payouts: readonly { readonly payout_id: string; readonly value: string }[];
}

/** What the partners know, who know nothing of ours. */
export interface TheirBooks {
  /** What the retailer's own sales come to at the percents agreed, per brand and creator. */
  readonly owed: readonly { readonly brand_id: string; readonly creator_id: string; readonly amount: E4 }[];
  readonly stripe: StripeLedger;
  readonly paypal: PaypalLedger;
  /** What lay at PayPal before anybody was paid, decimal text. */
  readonly paypal_before: string;
  readonly asked: Asked;
}

/** One amount that both sides must give alike. `id` is ours, or the partner's where only the partner knows it. */
export interface Compared {
  readonly of: "sales" | "charge" | "payout" | "book";
  readonly id: string;
  readonly what: "earned" | "gross" | "paid" | "fee" | "asked" | "balance" | "sum" | "left over";
  readonly ours: E4;
  readonly theirs: E4;
}

/** Every comparison, and what all differences add up to, their signs ignored: nothing, or money was made or lost. */
export interface Verdict {
  readonly compared: readonly Compared[];
  readonly difference: E4;
}

const amount = (text: string): E4 => {
  const read = parseE4(text);
  if (read === null) throw new Error(`"${text}" is no amount`);
  return read;
};
const cents = (whole: bigint | number): E4 => asE4(BigInt(whole) * 100n);

/** How far the two sides of a comparison lie apart. */
export const apart = ({ ours, theirs }: Compared): E4 => asE4(ours > theirs ? ours - theirs : theirs - ours);

/**
 * Compares our books with the partners' own, per brand and creator, per charge and per payout, in both directions: what only one
 * side knows differs by all of it. Then the balances, each side's of which must also add up to nothing by itself.
 */
export function reconcile(ours: Reconciliation, theirs: TheirBooks): Verdict {
  const compared = [
    ...sales(ours, theirs),
    ...charges(ours, theirs),
    ...payouts(ours, theirs),
    ...books(ours, theirs),
  ];
  return { compared, difference: sum(compared.map(apart)) };
}

/** One id for a brand and a creator together. */
export const pairOf = (of: { readonly brand_id: string; readonly creator_id: string | null }): string =>
  `${of.brand_id} ${of.creator_id ?? ""}`;

function* sales({ rows }: Reconciliation, { owed }: TheirBooks): Generator<Compared> {
  const earned = new Map(
    [...grouped(rows, pairOf)].map(([pair, of]) => [
      pair,
      sum(of.flatMap(({ earned, adjusted }) => [amount(earned), amount(adjusted)])),
    ]),
  );
  const theirs = new Map(owed.map((one) => [pairOf(one), one.amount]));
  for (const id of new Set([...earned.keys(), ...theirs.keys()]))
    yield {
      ...{ of: "sales", id, what: "earned" },
      ...{ ours: earned.get(id) ?? NO_E4, theirs: theirs.get(id) ?? NO_E4 },
    };
}

function* charges(ours: Reconciliation, { stripe, asked }: TheirBooks): Generator<Compared> {
  const left = new Map(
    stripe.charges.filter(({ status }) => status === "succeeded").map((one) => [one.payment_intent, one]),
  );
  const orders = grouped(asked.charges, ({ charge_id }) => charge_id);
  for (const charge of ours.charges) {
    const id = charge.charge_id;
    const gross = amount(charge.gross);
    for (const order of orders.get(id) ?? [])
      yield { of: "charge", id, what: "asked", ours: gross, theirs: cents(order.cents) };
    if (charge.status !== "succeeded") continue;
    const theirs = left.get(charge.stripe_payment_intent_id ?? "");
    left.delete(charge.stripe_payment_intent_id ?? "");
    if (!orders.has(id)) yield { of: "charge", id, what: "asked", ours: gross, theirs: NO_E4 };
    const taken = theirs ? cents(theirs.amount_cents - theirs.refunded_cents) : NO_E4;
    yield { of: "charge", id, what: "gross", ours: gross, theirs: taken };
    yield {
      ...{ of: "charge", id, what: "fee" },
      ours: charge.fee === null ? NO_E4 : amount(charge.fee),
      theirs: cents(theirs?.fee_cents ?? 0),
    };
  }
  for (const { payment_intent, amount_cents, refunded_cents } of left.values())
    yield {
      ...{ of: "charge", id: payment_intent, what: "gross" },
      ...{ ours: NO_E4, theirs: cents(amount_cents - refunded_cents) },
    };
}

function* payouts(ours: Reconciliation, { stripe, paypal, asked }: TheirBooks): Generator<Compared> {
  const intents = new Map(
    ours.charges.map(({ charge_id, stripe_payment_intent_id }) => [charge_id, stripe_payment_intent_id]),
  );
  const transfers = new Map(
    stripe.charges
      .filter(({ destination, status }) => destination !== null && status === "succeeded")
      .map((one) => [one.payment_intent, one.transferred_cents]),
  );
  const items = new Map(
    paypal.paid.filter(({ status }) => status === "SUCCESS").map((one) => [one.sender_item_id, one]),
  );
  const orders = grouped(asked.payouts, ({ payout_id }) => payout_id);
  for (const payout of ours.payouts) {
    const id = payout.payout_id;
    const value = amount(payout.amount);
    for (const order of orders.get(id) ?? [])
      yield { of: "payout", id, what: "asked", ours: value, theirs: amount(order.value) };
    if (payout.status !== "succeeded") continue;
    if (payout.rail === "stripe") {
      const intent = intents.get(payout.charge_id) ?? "";
      yield { of: "payout", id, what: "paid", ours: value, theirs: cents(transfers.get(intent) ?? 0) };
      transfers.delete(intent);
      continue;
    }
    const item = items.get(id);
    items.delete(id);
    if (!orders.has(id)) yield { of: "payout", id, what: "asked", ours: value, theirs: NO_E4 };
    yield { of: "payout", id, what: "paid", ours: value, theirs: item ? amount(item.value) : NO_E4 };
    yield {
      ...{ of: "payout", id, what: "fee" },
      ...{ ours: cents(payout.fee_cents), theirs: item ? amount(item.fee) : NO_E4 },
    };
  }
  for (const [intent, transferred] of transfers)
    yield { of: "payout", id: intent, what: "paid", ours: NO_E4, theirs: cents(transferred) };
  for (const [item, { value }] of items)
    yield { of: "payout", id: item ?? "unnamed", what: "paid", ours: NO_E4, theirs: amount(value) };
}

function* books(ours: Reconciliation, { stripe, paypal, paypal_before }: TheirBooks): Generator<Compared> {
  const held = (account: string): E4 => amount(ours.ledger[account] ?? "0.0000");
  const of = "book";
  const moved = asE4(amount(paypal.balance) - amount(paypal_before));
  yield {
    ...{ of, id: "Stripe", what: "balance" },
    ...{ ours: held("cash_stripe"), theirs: cents(stripe.balances.platform ?? 0) },
  };
  yield { of, id: "PayPal", what: "balance", ours: held("cash_paypal"), theirs: moved };
  yield { of, id: "Stripe", what: "sum", ours: NO_E4, theirs: cents(stripe.sum) };
  yield { of, id: "PayPal", what: "sum", ours: NO_E4, theirs: amount(paypal.sum) };
  yield { of, id: "ours", what: "sum", ours: amount(ours.ledger_sum), theirs: NO_E4 };
  yield { of, id: "ours", what: "left over", ours: amount(ours.difference), theirs: NO_E4 };
}

/** The comparisons that differ, one sentence each. */
export const complaints = ({ compared }: Verdict): string[] =>
  compared
    .filter((one) => apart(one) !== NO_E4)
    .map(
      (one) =>
        `${one.of} ${one.id}, ${one.what}: ours ${formatE4(one.ours)}, theirs ${formatE4(one.theirs)}, apart ${formatE4(apart(one))}`,
    );
