import { decimalOf } from "./ledger.ts";
import type { Batch, Item, Money } from "./objects.ts";
import type { Work } from "./work.ts";

function usd(cents: bigint): Money {
  return { currency: "USD", value: decimalOf(cents) };
}

/** An item as PayPal shows it, by itself and in events. */
export function shownItem(work: Work, item: Item) {
  const { sent } = work.get("batch", item.batch);
  return {
    payout_item_id: item.id,
    ...(item.transaction_id ? { transaction_id: item.transaction_id } : {}),
    transaction_status: item.status,
    payout_item_fee: usd(item.status === "PENDING" ? 0n : BigInt(item.fee_cents)),
    payout_batch_id: item.batch,
    ...(sent.sender_batch_id ? { sender_batch_id: sent.sender_batch_id } : {}),
    payout_item: item.sent,
    ...(item.time_processed ? { time_processed: item.time_processed } : {}),
    ...(item.error
      ? {
          errors: {
            ...item.error,
            debug_id: item.id.slice(0, 13),
            information_link: "https://developer.paypal.com/docs/payouts/standard/integrate-api/error-codes/",
          },
        }
      : {}),
    links: [
      {
        href: `${work.base()}/v1/payments/payouts-item/${item.id}`,
        rel: "item",
        method: "GET",
        encType: "application/json",
      },
      {
        href: `${work.base()}/v1/payments/payouts/${item.batch}`,
        rel: "batch",
        method: "GET",
        encType: "application/json",
      },
    ],
  };
}

/** The head of a batch: where it stands, what it costs. */
export function shownHeader(work: Work, batch: Batch) {
  const items = batch.items.map((id) => work.get("item", id));
  const amount = items.reduce((sum, { cents }) => sum + BigInt(cents), 0n);
  const fees = items.reduce(
    (sum, { fee_cents, status }) => sum + (status === "PENDING" ? 0n : BigInt(fee_cents)),
    0n,
  );
  return {
    payout_batch_id: batch.id,
    batch_status: batch.status,
    time_created: batch.time_created,
    ...(batch.time_completed ? { time_completed: batch.time_completed } : {}),
    sender_batch_header: batch.sent,
    funding_source: "BALANCE" as const,
    amount: usd(amount),
    fees: usd(fees),
  };
}

/** The address of a batch, as a link. */
export function batchLink(work: Work, id: string, rel = "self") {
  return {
    href: `${work.base()}/v1/payments/payouts/${id}`,
    rel,
    method: "GET",
    encType: "application/json",
  };
}
