import type { z } from "zod";
import { bodies, checkBody } from "./contract.ts";
import { PayPalError } from "./errors.ts";
import { centsOf } from "./ledger.ts";
import type { Batch, Item, SenderItem } from "./objects.ts";
import { become } from "./paying.ts";
import { type AskedPayout, checkPayout } from "./payout-rules.ts";
import type { showPayout } from "./query.ts";
import { batchLink, shownHeader, shownItem } from "./shown.ts";
import type { State } from "./state.ts";
import type { Work } from "./work.ts";

const FEE_CENTS = 25n;
const DAYS_30 = 30 * 86_400_000;

function refuseDuplicate(work: Work, state: State, senderBatchId: string | undefined): void {
  const first = senderBatchId === undefined ? undefined : state.bySender.get(senderBatchId);
  if (first === undefined) return;
  const age = work.now.getTime() - Date.parse(work.get("batch", first).time_created);
  if (age >= DAYS_30) return;
  throw new PayPalError(400, "USER_BUSINESS_ERROR", [
    {
      field: "SENDER_BATCH_ID",
      location: "body",
      issue: "Batch with given sender_batch_id already exists",
      link: [batchLink(work, first)],
    },
  ]);
}

/** Takes a payout: reserves its money and fees, and answers before anything is paid. */
export function createPayout(work: Work, state: State, text: unknown) {
  const asked = checkBody<AskedPayout>(bodies.createPayout, text);
  const { sender_batch_header: sent, items } = asked;
  refuseDuplicate(work, state, sent.sender_batch_id);
  checkPayout(asked);
  const total = items.reduce((sum, { amount }) => sum + centsOf(amount.value)! + FEE_CENTS, 0n);
  if (total > BigInt(state.balances.balance)) throw new PayPalError(422, "INSUFFICIENT_FUNDS");

  const id = work.id(13);
  const rows: Item[] = items.map((item) => ({
    id: work.id(13),
    kind: "item",
    batch: id,
    cents: centsOf(item.amount.value)!.toString(),
    error: null,
    fee_cents: FEE_CENTS.toString(),
    sent: {
      recipient_wallet: "PAYPAL",
      ...item,
      recipient_type: item.recipient_type ?? sent.recipient_type,
    } as SenderItem,
    status: "PENDING",
    time_processed: null,
    transaction_id: null,
  }));
  const batch: Batch = {
    id,
    kind: "batch",
    items: rows.map((row) => row.id),
    sent,
    status: "PENDING",
    time_completed: null,
    time_created: work.time,
  };
  for (const row of [batch, ...rows]) work.put(row);
  work.put({ kind: "due", id, at: work.now.toISOString(), what: "process" });
  work.move("balance", "held", total, id);
  return {
    batch_header: {
      payout_batch_id: id,
      batch_status: batch.status,
      time_created: work.time,
      sender_batch_header: sent,
    },
    links: [batchLink(work, id)],
  };
}

/** The batch an address names. */
export function batchNamed(work: Work, id: string): Batch {
  const batch = work.find("batch", id);
  if (!batch)
    throw new PayPalError(404, "INVALID_RESOURCE_ID", [
      { field: "payout_batch_id", location: "path", issue: "Not found" },
    ]);
  return batch;
}

/** The item an address names. */
export function itemNamed(work: Work, id: string): Item {
  const item = work.find("item", id);
  if (!item)
    throw new PayPalError(404, "INVALID_RESOURCE_ID", [
      { field: "payout_item_id", location: "path", issue: "Not found" },
    ]);
  return item;
}

/** A payout with one page of its items. */
export function showBatch(work: Work, id: string, query: z.output<typeof showPayout>) {
  const batch = batchNamed(work, id);
  const { page = 1, page_size = 1000, total_required = false, fields } = query;
  const pages = Math.max(1, Math.ceil(batch.items.length / page_size));
  const ids = batch.items.slice((page - 1) * page_size, page * page_size);
  const at = (number: number, rel: string) => {
    const link = batchLink(work, id, rel);
    return { ...link, href: `${link.href}?page=${number}&page_size=${page_size}` };
  };
  const shown = {
    batch_header: shownHeader(work, batch),
    items: ids.map((item) => shownItem(work, work.get("item", item))),
    ...(total_required ? { total_items: batch.items.length, total_pages: pages } : {}),
    links: [
      at(page, "self"),
      ...(page < pages ? [at(page + 1, "next")] : []),
      ...(page > 1 ? [at(page - 1, "prev")] : []),
    ],
  };
  if (!fields) return shown;
  return Object.fromEntries(Object.entries(shown).filter(([name]) => (fields as string[]).includes(name)));
}

/** Calls an unclaimed payment back: the money returns to the sender at once. */
export function cancelItem(work: Work, id: string) {
  const item = itemNamed(work, id);
  const batch = work.get("batch", item.batch);
  if (item.status !== "UNCLAIMED" || batch.time_completed === null)
    throw new PayPalError(400, "ITEM_INCORRECT_STATUS", [
      {
        field: "payout_item_id",
        location: "path",
        issue: `Only an UNCLAIMED item can be canceled, this one is ${item.status}`,
      },
    ]);
  return shownItem(work, become(work, item, "RETURNED", item.error, "CANCELED"));
}
