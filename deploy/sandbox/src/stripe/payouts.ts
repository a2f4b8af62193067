import { onWire } from "./balance.ts";
import { bankMorning, seconds } from "./days.ts";
import { invalid, missing } from "./errors.ts";
import type { Book } from "./ledger.ts";
import { page, within } from "./lists.ts";
import { createdFilter, hash, oneOf, paging } from "./params.ts";
import { route } from "./route.ts";
import type { Unit } from "./unit.ts";

const DELAY_DAYS = 2;

/** A connected account has been given money: two days later, in the morning, it goes to the account's bank. */
export function expectPayout(unit: Unit, account: string): void {
  const id = `payout ${account}`;
  if (unit.find("due", id)) return;
  const at = bankMorning(unit.now, DELAY_DAYS).toISOString();
  unit.put({ id, object: "due", at, what: { kind: "payout", account } });
}

/** Sends the whole balance of a connected account to its bank; an account that may not be paid, or owes, keeps what it has. */
export function payOut(unit: Unit, id: string, balance: bigint): void {
  const account = unit.find("account", id);
  if (!account?.payouts_enabled || balance <= 0n) return;
  const payout = unit.put({
    id: unit.id("po_"),
    object: "payout" as const,
    amount: onWire(balance),
    arrival_date: seconds(bankMorning(unit.now, 0)),
    automatic: true as const,
    created: unit.created,
    currency: "usd" as const,
    description: "STRIPE PAYOUT",
    destination: `ba_${id.slice(5)}`,
    livemode: false as const,
    method: "standard" as const,
    source_type: "card" as const,
    status: "paid" as const,
    type: "bank_account" as const,
  });
  unit.put({ id: payout.id, object: "payout_owner", account: id });
  unit.move(id as Book, "external", balance, payout.id);
  unit.emit("payout.paid", payout, { account: id });
}

function ownedBy(unit: Unit, account: string | null) {
  return unit.all("payout").filter(({ id }) => unit.get("payout_owner", id).account === account);
}

const list = route(
  "GET /v1/payouts",
  hash({
    ...paging,
    created: createdFilter().optional(),
    arrival_date: createdFilter().optional(),
    status: oneOf("canceled", "failed", "in_transit", "paid", "pending").optional(),
  }),
  ({ unit, account, params: { created, arrival_date, status, ...paging } }) => {
    if (account === null)
      throw invalid("The sandbox pays out connected accounts only: name one in the Stripe-Account header.");
    const found = ownedBy(unit, account)
      .filter((payout) => within(payout.created, created) && within(payout.arrival_date, arrival_date))
      .filter((payout) => !status || payout.status === status);
    return page("/v1/payouts", found, paging);
  },
  { perAccount: true },
);

const retrieve = route(
  "GET /v1/payouts/:id",
  hash({}),
  ({ unit, account, path }) => {
    const payout = ownedBy(unit, account).find(({ id }) => id === path.id);
    if (!payout) throw missing("payout", path.id!, "payout", 404);
    return payout;
  },
  { perAccount: true },
);

/** What connected accounts have been paid out to their banks. */
export const payouts = [list, retrieve];
