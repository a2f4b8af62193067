import { type Detail, PayPalError } from "./errors.ts";
import { centsOf } from "./ledger.ts";
import type { SenderBatchHeader, SenderItem } from "./objects.ts";

/** A payout as it is asked for, in the shape of PayPal's document. */
export interface AskedPayout {
  sender_batch_header: SenderBatchHeader;
  items: (Omit<SenderItem, "recipient_type"> & {
    recipient_type?: string;
    amount: { currency: string; value: string };
  })[];
}

const TYPES = ["EMAIL", "PAYPAL_ID", "PHONE", "USER_HANDLE"];
const WALLETS = ["PAYPAL", "RECIPIENT_SELECTED", "VENMO"];
const HANDLE = /^@?[A-Za-z0-9_-]{5,30}$/;
const US_MOBILE = /^(\+?1)?[2-9]\d{9}$/;

/** PayPal's own triggers: the first item's note asks for the error. */
const TRIGGERS: Record<string, [status: number, name: string]> = {
  ERRPYO001: [403, "SENDER_RESTRICTED"],
  ERRPYO002: [403, "SENDER_EMAIL_UNCONFIRMED"],
  ERRPYO003: [403, "AUTHORIZATION_ERROR"],
  ERRPYO005: [422, "INSUFFICIENT_FUNDS"],
  ERRPYO006: [500, "INTERNAL_ERROR"],
  ERRPYO010: [400, "VALIDATION_ERROR"],
};

function flawsOf({ items, sender_batch_header }: AskedPayout): Detail[] {
  return items.flatMap((item, index) => {
    const flaws: Detail[] = [];
    const flaw = (field: string, issue: string) =>
      flaws.push({ field: `items[${index}].${field}`, location: "body", issue });
    const type = item.recipient_type ?? sender_batch_header.recipient_type;
    const { recipient_wallet: wallet = "PAYPAL", receiver = "", note } = item;
    if (type === undefined) flaw("recipient_type", "Required field is missing");
    else if (!TYPES.includes(type)) flaw("recipient_type", `Value must be one of ${TYPES.join(", ")}`);
    if (!WALLETS.includes(wallet)) flaw("recipient_wallet", `Value must be one of ${WALLETS.join(", ")}`);
    const cents = centsOf(item.amount.value);
    if (cents === null || cents === 0n)
      flaw("amount.value", "Value must be a positive amount with at most two decimals");
    if (receiver === "") flaw("receiver", "Required field is missing");
    else if (type === "EMAIL" && !/^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(receiver))
      flaw("receiver", "Value is no e-mail address");
    else if (type === "PHONE" && !US_MOBILE.test(receiver.replace(/[ ().-]/g, "")))
      flaw("receiver", "Value is no US phone number");
    else if (type === "USER_HANDLE" && !HANDLE.test(receiver)) flaw("receiver", "Value is no Venmo handle");
    if (wallet === "VENMO") {
      if (type !== "PHONE" && type !== "USER_HANDLE")
        flaw("recipient_type", "Venmo receivers are PHONE or USER_HANDLE");
      if (!note?.trim()) flaw("note", "Required field is missing: Venmo needs a note");
    } else if (type === "USER_HANDLE") flaw("recipient_wallet", "A USER_HANDLE is paid to VENMO");
    return flaws;
  });
}

/** Everything PayPal's first scan looks at beyond the shape: triggers, currency, receivers, Venmo's rules. */
export function checkPayout(asked: AskedPayout): void {
  const trigger = TRIGGERS[asked.items[0]!.note ?? ""];
  if (trigger) throw new PayPalError(...trigger);
  const currencies = [...new Set(asked.items.map(({ amount }) => amount.currency))];
  const field = "items[0].amount.currency";
  if (currencies.length > 1)
    throw new PayPalError(400, "VALIDATION_ERROR", [
      { field, location: "body", issue: "All items of a batch must have one currency" },
    ]);
  if (currencies[0] !== "USD")
    throw new PayPalError(400, "NON_HOLDING_CURRENCY", [
      { field, location: "body", issue: `No balance in ${currencies[0]}` },
    ]);
  const flaws = flawsOf(asked);
  if (flaws.length > 0) throw new PayPalError(400, "VALIDATION_ERROR", flaws);
}
