import { missing } from "./errors.ts";
import type { BalanceTransaction } from "./objects.ts";
import { hash } from "./params.ts";
import { route } from "./route.ts";
import type { Unit } from "./unit.ts";

/** Whole cents as a number for Stripe's wire; an amount too large for one is a defect. */
export function onWire(cents: bigint): number {
  if (cents > BigInt(Number.MAX_SAFE_INTEGER)) throw new Error(`${cents} cents do not fit the wire`);
  return Number(cents);
}

interface Booked {
  type: BalanceTransaction["type"];
  reporting_category: string;
  source: string;
  amount: bigint;
  fee?: bigint;
  description?: string | null;
}

/** Writes one line of a balance: what came or went (negative), what Stripe kept of it. */
export function book(
  unit: Unit,
  { amount, fee = 0n, description = null, ...line }: Booked,
): BalanceTransaction {
  const details = {
    amount: onWire(fee),
    application: null,
    currency: "usd" as const,
    description: "Stripe processing fees",
    type: "stripe_fee" as const,
  };
  return unit.put({
    id: unit.id("txn_"),
    object: "balance_transaction",
    amount: onWire(amount),
    available_on: unit.created,
    created: unit.created,
    currency: "usd",
    description,
    exchange_rate: null,
    fee: onWire(fee),
    fee_details: fee > 0n ? [details] : [],
    net: onWire(amount - fee),
    status: "available",
    ...line,
  });
}

const retrieve = route("GET /v1/balance_transactions/:id", hash({}), ({ unit, path }) => {
  const line = unit.find("balance_transaction", path.id!);
  if (!line) throw missing("balance transaction", path.id!, "id", 404);
  return line;
});

/** The lines of the platform's balance. */
export const balanceTransactions = [retrieve];
