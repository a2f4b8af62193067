import { book, onWire } from "./balance.ts";
import type { Transfer, TransferReversal } from "./connect-objects.ts";
import { invalid, missing } from "./errors.ts";
import type { Book } from "./ledger.ts";
import { page, within } from "./lists.ts";
import { createdFilter, flag, hash, integer, merged, metadata, paging, text } from "./params.ts";
import { route } from "./route.ts";
import type { Unit } from "./unit.ts";

function transferNamed(unit: Unit, id: string): Transfer {
  const transfer = unit.find("transfer", id);
  if (!transfer) throw missing("transfer", id, "transfer", 404);
  return transfer;
}

interface Reversed {
  metadata?: Record<string, string> | undefined;
  refund?: string;
}

/** Takes money of a transfer back from the connected account, whose balance may fall below zero by it. */
export function reverse(
  unit: Unit,
  transfer: Transfer,
  cents: bigint,
  { metadata, refund }: Reversed = {},
): TransferReversal {
  const id = unit.id("trr_");
  unit.move(transfer.destination as Book, "platform", cents, id);
  const line = book(unit, {
    type: "transfer_refund",
    reporting_category: "transfer_reversal",
    source: transfer.id,
    amount: cents,
  });
  const amount_reversed = onWire(BigInt(transfer.amount_reversed) + cents);
  unit.put({ ...transfer, amount_reversed, reversed: amount_reversed === transfer.amount });
  const reversal = unit.put({
    id,
    object: "transfer_reversal" as const,
    amount: onWire(cents),
    balance_transaction: line.id,
    created: unit.created,
    currency: "usd" as const,
    metadata: merged({}, metadata),
    source_refund: refund ?? null,
    transfer: transfer.id,
  });
  unit.emit("transfer.reversed", unit.get("transfer", transfer.id));
  return reversal;
}

const list = route(
  "GET /v1/transfers",
  hash({
    ...paging,
    created: createdFilter().optional(),
    destination: text().optional(),
    transfer_group: text().optional(),
  }),
  ({ unit, params: { created, destination, transfer_group, ...paging } }) => {
    const found = unit
      .all("transfer")
      .filter(
        (transfer) =>
          within(transfer.created, created) && (!destination || transfer.destination === destination),
      )
      .filter((transfer) => !transfer_group || transfer.transfer_group === transfer_group);
    return page("/v1/transfers", found, paging);
  },
);

const retrieve = route("GET /v1/transfers/:id", hash({}), ({ unit, path }) => transferNamed(unit, path.id!));

const createReversal = route(
  "POST /v1/transfers/:id/reversals",
  hash({
    amount: integer({ min: 1 }).optional(),
    metadata: metadata().optional(),
    refund_application_fee: flag().optional(),
  }),
  ({ unit, path, params: { amount, metadata, refund_application_fee } }) => {
    if (refund_application_fee)
      throw invalid("The sandbox gives application fees back with a refund only.", {
        param: "refund_application_fee",
      });
    const transfer = transferNamed(unit, path.id!);
    const left = transfer.amount - transfer.amount_reversed;
    if (left === 0)
      throw invalid(`Transfer ${transfer.id} has already been fully reversed.`, { param: "id" });
    if (amount !== undefined && amount > left)
      throw invalid(
        `Transfer reversal amount (${amount}) is greater than the amount left on the transfer (${left}).`,
        { param: "amount" },
      );
    return reverse(unit, transfer, BigInt(amount ?? left), { metadata });
  },
);

const listReversals = route("GET /v1/transfers/:id/reversals", hash(paging), ({ unit, path, params }) => {
  const { id } = transferNamed(unit, path.id!);
  const found = unit.all("transfer_reversal").filter(({ transfer }) => transfer === id);
  return page(`/v1/transfers/${id}/reversals`, found, params);
});

const retrieveReversal = route("GET /v1/transfers/:id/reversals/:reversal", hash({}), ({ unit, path }) => {
  const found = unit.find("transfer_reversal", path.reversal!);
  if (found?.transfer !== transferNamed(unit, path.id!).id)
    throw missing("transfer reversal", path.reversal!, "id", 404);
  return found;
});

/** What went on to connected accounts, and what was taken back. */
export const transfers = [list, retrieve, createReversal, listReversals, retrieveReversal];
