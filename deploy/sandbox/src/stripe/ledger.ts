/** The books of the partner: the platform's balance, one per connected account (`acct_…`), Stripe's own fees, and the world outside. */
export type Book = "platform" | "fees" | "external" | `acct_${string}`;

/** One movement of money: `cents` leave `from` and reach `to`. Both sides in one entry, so that the books cannot fail to sum to zero unseen. */
export interface Movement {
  from: Book;
  to: Book;
  /** Whole cents as decimal text, never negative. */
  cents: string;
  /** The object that caused it: a charge, transfer, fee, refund, reversal or payout. */
  cause: string;
}

/** States one movement; a negative amount is a defect of the sandbox. */
export function movement(from: Book, to: Book, cents: bigint, cause: string): Movement {
  if (cents < 0n)
    throw new Error(`a movement of ${cents} cents from ${from} to ${to} runs backwards (${cause})`);
  return { from, to, cents: cents.toString(), cause };
}

/** Adds a movement to the balances, in place: what leaves one book arrives in the other. */
export function post(balances: Record<string, string>, { from, to, cents }: Movement): void {
  balances[from] = (BigInt(balances[from] ?? "0") - BigInt(cents)).toString();
  balances[to] = (BigInt(balances[to] ?? "0") + BigInt(cents)).toString();
}

/** The sum over all books, in cents: zero, or money was made or lost. */
export function sumOf(balances: Record<string, string>): bigint {
  return Object.values(balances).reduce((sum, cents) => sum + BigInt(cents), 0n);
}
