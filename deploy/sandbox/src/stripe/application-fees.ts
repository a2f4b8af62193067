import { book, onWire } from "./balance.ts";
import type { ApplicationFee } from "./connect-objects.ts";
import { missing } from "./errors.ts";
import type { Book } from "./ledger.ts";
import { page, within } from "./lists.ts";
import { createdFilter, hash, paging, text } from "./params.ts";
import { route } from "./route.ts";
import type { Unit } from "./unit.ts";

/** Gives a part of an application fee back to the connected account it was taken from. */
export function giveBack(unit: Unit, fee: ApplicationFee, cents: bigint): void {
  unit.move("platform", fee.account as Book, cents, fee.id);
  book(unit, {
    type: "application_fee_refund",
    reporting_category: "platform_earning_refund",
    source: fee.id,
    amount: -cents,
  });
  const amount_refunded = onWire(BigInt(fee.amount_refunded) + cents);
  unit.emit(
    "application_fee.refunded",
    unit.put({ ...fee, amount_refunded, refunded: amount_refunded === fee.amount }),
  );
}

const list = route(
  "GET /v1/application_fees",
  hash({ ...paging, charge: text().optional(), created: createdFilter().optional() }),
  ({ unit, params: { charge, created, ...paging } }) => {
    const found = unit
      .all("application_fee")
      .filter((fee) => within(fee.created, created) && (!charge || fee.charge === charge));
    return page("/v1/application_fees", found, paging);
  },
);

const retrieve = route("GET /v1/application_fees/:id", hash({}), ({ unit, path }) => {
  const fee = unit.find("application_fee", path.id!);
  if (!fee) throw missing("application fee", path.id!, "fee", 404);
  return fee;
});

/** What the platform keeps of payments to connected accounts. */
export const applicationFees = [list, retrieve];
