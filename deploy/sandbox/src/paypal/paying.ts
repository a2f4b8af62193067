import type { Batch, Item, ItemError, ItemStatus } from "./objects.ts";
import { shownHeader, shownItem } from "./shown.ts";
import type { Work } from "./work.ts";

const DAYS_30 = 30 * 86_400_000;
const LIMIT_CENTS = 2_000_000n;

const ERRORS: Record<string, string> = {
  RECEIVER_ACCOUNT_INVALID: "Receiver's account is invalid.",
  RECEIVER_ACCOUNT_LOCKED: "Receiver's account is locked or inactive.",
  RECEIVER_UNREGISTERED: "Receiver is unregistered.",
  SPENDING_LIMIT_EXCEEDED: "Transaction exceeds the limit of 20,000 USD per item.",
  TRANSACTION_HELD: "The transaction is on hold and under review.",
};

function error(name: keyof typeof ERRORS): ItemError {
  return { name, message: ERRORS[name]! };
}

const EVENTS: Partial<Record<ItemStatus, string>> = {
  BLOCKED: "BLOCKED",
  FAILED: "FAILED",
  ONHOLD: "HELD",
  REFUNDED: "REFUNDED",
  RETURNED: "RETURNED",
  SUCCESS: "SUCCEEDED",
  UNCLAIMED: "UNCLAIMED",
};

/** What becomes of a payment to this receiver: what a test wishes, else what the receiver itself says. */
function outcomeOf(work: Work, { sent, cents }: Item): [ItemStatus, ItemError | null] {
  const { receiver, recipient_type } = sent;
  switch (work.find("receiver", receiver)?.outcome) {
    case "SUCCESS":
      return ["SUCCESS", null];
    case "UNCLAIMED":
      return ["UNCLAIMED", error("RECEIVER_UNREGISTERED")];
    case "ONHOLD":
      return ["ONHOLD", error("TRANSACTION_HELD")];
    case "BLOCKED":
      return ["BLOCKED", error("RECEIVER_ACCOUNT_LOCKED")];
    case "FAILED":
      return ["FAILED", error("RECEIVER_ACCOUNT_INVALID")];
  }
  if (BigInt(cents) > LIMIT_CENTS) return ["FAILED", error("SPENDING_LIMIT_EXCEEDED")];
  if (recipient_type === "PAYPAL_ID" && !/^[A-Z0-9]{13}$/.test(receiver))
    return ["FAILED", error("RECEIVER_ACCOUNT_INVALID")];
  if (/[+_-]unclaimed/i.test(receiver)) return ["UNCLAIMED", error("RECEIVER_UNREGISTERED")];
  return ["SUCCESS", null];
}

/** How the money moves when an item comes from one status to another; an unknown step is a defect. */
function moveMoney(work: Work, { id, status, cents, fee_cents }: Item, next: ItemStatus): void {
  const value = BigInt(cents);
  const fee = BigInt(fee_cents);
  const isHeld = ["BLOCKED", "ONHOLD", "PENDING", "UNCLAIMED"];
  if (isHeld.includes(status) && next === "SUCCESS") {
    work.move("held", "receivers", value, id);
    work.move("held", "fees", fee, id);
  } else if (isHeld.includes(status) && (next === "FAILED" || next === "RETURNED")) {
    work.move("held", "balance", value + fee, id);
  } else if (status === "SUCCESS" && (next === "REFUNDED" || next === "REVERSED")) {
    work.move("receivers", "balance", value, id);
  } else if (!(isHeld.includes(status) && isHeld.includes(next))) {
    throw new Error(`a PayPal item does not go from ${status} to ${next}`);
  }
}

/** Brings an item to its next status: moves the money, sets or clears the 30 days, tells the platform. */
export function become(
  work: Work,
  item: Item,
  status: ItemStatus,
  reason: ItemError | null = null,
  told = EVENTS[status],
): Item {
  moveMoney(work, item, status);
  const fee_cents = status === "FAILED" || status === "RETURNED" ? "0" : item.fee_cents;
  const transaction_id = item.transaction_id ?? (status === "FAILED" ? null : work.id(17));
  const next = work.put({
    ...item,
    status,
    error: reason,
    fee_cents,
    transaction_id,
    time_processed: work.time,
  });
  work.drop("due", item.id);
  if (status === "UNCLAIMED") {
    const at = new Date(work.now.getTime() + DAYS_30).toISOString();
    work.put({ kind: "due", id: item.id, at, what: "return" });
  }
  const summary = `A payout item is now ${status.toLowerCase()}.`;
  if (told) work.tell(`PAYMENT.PAYOUTS-ITEM.${told}`, "payouts_item", summary, shownItem(work, next));
  return next;
}

/** Works a batch through, every item at this very moment: denied when none could be paid at all, else a success. */
export function workThrough(work: Work, pending: Batch): void {
  const tell = (batch: Batch) =>
    work.tell(
      `PAYMENT.PAYOUTSBATCH.${batch.status}`,
      "payouts",
      `Payouts batch is now ${batch.status.toLowerCase()}.`,
      {
        batch_header: shownHeader(work, batch),
      },
    );
  const batch = work.put({ ...pending, status: "PROCESSING" as const });
  tell(batch);
  const items = batch.items.map((id) => {
    const item = work.get("item", id);
    return become(work, item, ...outcomeOf(work, item));
  });
  const isDenied = items.every(({ status }) => status === "FAILED");
  tell(
    work.put({
      ...batch,
      status: isDenied ? ("DENIED" as const) : ("SUCCESS" as const),
      time_completed: work.time,
    }),
  );
}
