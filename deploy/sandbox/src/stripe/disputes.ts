import { book } from "./balance.ts";
import { bankMorning } from "./days.ts";
import { missing } from "./errors.ts";
import { page, within } from "./lists.ts";
import { revokeMandates } from "./mandates.ts";
import type { Charge } from "./objects.ts";
import { createdFilter, hash, paging, text } from "./params.ts";
import { route } from "./route.ts";
import type { Unit } from "./unit.ts";

const FEE_CENTS = 1500n;

/** The account holder will dispute this debit on the next day. */
export function expectDispute(unit: Unit, charge: Charge): void {
  const at = bankMorning(unit.now, 1).toISOString();
  unit.put({ id: charge.id, object: "due", at, what: { kind: "dispute", charge: charge.id } });
}

/** A disputed debit is final: the money and a fee leave the platform at once, and the agreement to debit ends. */
export function dispute(unit: Unit, charge: Charge): void {
  const id = unit.id("du_");
  unit.move("platform", "external", BigInt(charge.amount), id);
  unit.move("platform", "fees", FEE_CENTS, id);
  const line = book(unit, {
    type: "adjustment",
    reporting_category: "dispute",
    source: id,
    amount: -BigInt(charge.amount),
    fee: FEE_CENTS,
  });
  unit.put({ ...charge, disputed: true });
  revokeMandates(unit, charge.payment_method);
  const lost = unit.put({
    id,
    object: "dispute" as const,
    amount: charge.amount,
    balance_transactions: [line],
    charge: charge.id,
    created: unit.created,
    currency: "usd" as const,
    is_charge_refundable: false as const,
    livemode: false as const,
    metadata: {},
    payment_intent: charge.payment_intent,
    reason: "debit_not_authorized" as const,
    status: "lost" as const,
  });
  for (const type of ["created", "funds_withdrawn", "closed"]) unit.emit(`charge.dispute.${type}`, lost);
}

const list = route(
  "GET /v1/disputes",
  hash({
    ...paging,
    charge: text().optional(),
    created: createdFilter().optional(),
    payment_intent: text().optional(),
  }),
  ({ unit, params: { charge, created, payment_intent, ...paging } }) => {
    const found = unit
      .all("dispute")
      .filter((dispute) => within(dispute.created, created) && (!charge || dispute.charge === charge))
      .filter((dispute) => !payment_intent || dispute.payment_intent === payment_intent);
    return page("/v1/disputes", found, paging);
  },
);

const retrieve = route("GET /v1/disputes/:id", hash({}), ({ unit, path }) => {
  const found = unit.find("dispute", path.id!);
  if (!found) throw missing("dispute", path.id!, "dispute", 404);
  return found;
});

/** Debits that the account holder has taken back. */
export const disputes = [list, retrieve];
