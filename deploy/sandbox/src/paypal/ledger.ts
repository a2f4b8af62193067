/**
 * The books: the platform's pre-funded balance, what is held for payments under way, what receivers and PayPal itself
 * have got, and the world outside that funded it all.
 */
export type Book = "balance" | "external" | "fees" | "held" | "receivers";

/** `cents` (decimal text, never negative) leave one book and reach another. */
export interface Movement {
  from: Book;
  to: Book;
  cents: string;
  cause: string;
}

/** Adds a movement to the balances, in place. */
export function post(balances: Record<Book, string>, { from, to, cents }: Movement): void {
  if (BigInt(cents) < 0n)
    throw new Error(`a movement of ${cents} cents from ${from} to ${to} runs backwards`);
  balances[from] = (BigInt(balances[from]) - BigInt(cents)).toString();
  balances[to] = (BigInt(balances[to]) + BigInt(cents)).toString();
}

/** Cents of a decimal text with at most two digits after the point; null for any other text. */
export function centsOf(value: string): bigint | null {
  const match = /^(\d{1,12})(?:\.(\d{1,2}))?$/.exec(value);
  return match ? BigInt(match[1]!) * 100n + BigInt((match[2] ?? "").padEnd(2, "0")) : null;
}

/** Cents as decimal text, as PayPal writes amounts: "12.34". */
export function decimalOf(cents: bigint): string {
  const digits = (cents < 0n ? -cents : cents).toString().padStart(3, "0");
  return `${cents < 0n ? "-" : ""}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
