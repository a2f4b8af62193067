import type { DataOf } from "@tributary/contracts/event";
import type {
  ChargeDisputed,
  ChargeRefunded,
  ChargeSucceeded,
  ChargeTransferReversed,
  ChargeWrittenOff,
  EarningBooked,
  PayoutReturned,
  PayoutSucceeded,
} from "@tributary/contracts/events/billing";
import { asE4, type Cents, centsToE4, type E4, sum } from "@tributary/contracts/money";

/** The accounts of the books (money rules, Decided). A debit is positive, a credit negative. */
export const ACCOUNTS = [
  "brand_due",
  "creator_due",
  "processing",
  "payout_fees",
  "cash_stripe",
  "cash_paypal",
  "writeoff",
] as const;
export type Account = (typeof ACCOUNTS)[number];

/** One entry of the journal: what it moves on each account; together nothing. */
export type Posting = Partial<Record<Account, E4>>;

const minus = (amount: E4): E4 => asE4(-amount);
const e4 = (cents: Cents): E4 => centsToE4(cents);

/** Something was earned: the brand owes it, and it is owed to the creator. */
export const whenBooked = ({ amount }: Pick<DataOf<typeof EarningBooked>, "amount">): Posting => ({
  brand_due: amount,
  creator_due: minus(amount),
});

/**
 * The brand paid `gross`: its debt falls by the shares, the payout fees and the rest are for processing, out of which the
 * partner has taken its fee. A destination charge has passed its share on to the creator in the same moment.
 */
export function whenCharged(of: DataOf<typeof ChargeSucceeded>): Posting {
  const gross = e4(of.amount_grossed_cents);
  const fee = e4(of.fee_cents);
  const shares = sum(of.breakdown.map(({ net_cents }) => e4(net_cents)));
  const payout_fees = sum(of.breakdown.map(({ payout_fee_cents }) => e4(payout_fee_cents)));
  const passed = of.kind === "creator" ? shares : asE4(0n);
  return {
    cash_stripe: asE4(gross - fee - passed),
    brand_due: minus(shares),
    payout_fees: minus(payout_fees),
    processing: asE4(fee - (gross - shares - payout_fees)),
    creator_due: passed,
  };
}

/** PayPal paid the creator and took its fee; a transfer was booked with its charge. */
export function whenPaid(
  of: Pick<DataOf<typeof PayoutSucceeded>, "rail" | "amount_cents" | "fee_cents">,
): Posting {
  if (of.rail === "stripe") return {};
  const amount = e4(of.amount_cents);
  const fee = e4(of.fee_cents);
  return { creator_due: amount, payout_fees: fee, cash_paypal: asE4(-amount - fee) };
}

/** What had been paid came back, without the fee; what lay unclaimed was never booked as paid. */
export function whenReturned(of: Pick<DataOf<typeof PayoutReturned>, "was_paid" | "amount_cents">): Posting {
  const amount = e4(of.amount_cents);
  return of.was_paid ? { creator_due: minus(amount), cash_paypal: amount } : {};
}

/** The brand got money back: its creators' shares of it are owed again, the rest had paid for processing. */
export function whenRefunded(
  of: Pick<DataOf<typeof ChargeRefunded>, "refunded_cents" | "owed_again_cents">,
): Posting {
  const refunded = e4(of.refunded_cents);
  const owed = e4(of.owed_again_cents);
  return { cash_stripe: minus(refunded), brand_due: owed, processing: asE4(refunded - owed) };
}

/** A creator gave back what the transfer had paid, less the application fee that they got back: it is owed to them again. */
export function whenReversed(
  of: Pick<DataOf<typeof ChargeTransferReversed>, "reversed_cents" | "fee_returned_cents">,
): Posting {
  const given = asE4(e4(of.reversed_cents) - e4(of.fee_returned_cents));
  return { cash_stripe: given, creator_due: minus(given) };
}

/** The bank took the payment back (or returned it) and the partner its fee for that; creators keep what they got. */
export function whenDisputed(
  of: Pick<DataOf<typeof ChargeDisputed>, "withdrawn_cents" | "fee_cents" | "owed_again_cents">,
): Posting {
  const taken = asE4(e4(of.withdrawn_cents) + e4(of.fee_cents));
  const owed = e4(of.owed_again_cents);
  return { cash_stripe: minus(taken), brand_due: owed, processing: asE4(taken - owed) };
}

/** What the brand owed is the platform's loss. */
export function whenWrittenOff(of: Pick<DataOf<typeof ChargeWrittenOff>, "owed_cents">): Posting {
  const owed = e4(of.owed_cents);
  return { brand_due: minus(owed), writeoff: owed };
}

/** Balances with one entry more. */
export const posted = (balances: Readonly<Record<Account, E4>>, posting: Posting): Record<Account, E4> =>
  Object.fromEntries(
    ACCOUNTS.map((account) => [account, asE4(balances[account] + (posting[account] ?? 0n))]),
  ) as Record<Account, E4>;

/** What balances add up to: nothing, or the books are wrong. */
export const balance = (balances: Posting): E4 =>
  sum(ACCOUNTS.map((account) => balances[account] ?? asE4(0n)));
