import { book, onWire } from "./balance.ts";
import type { ApplicationFee, Transfer } from "./connect-objects.ts";
import { achFee, cardFee } from "./fees.ts";
import type { Book } from "./ledger.ts";
import type { Charge, PaymentIntent } from "./objects.ts";
import { expectPayout } from "./payouts.ts";
import type { Unit } from "./unit.ts";

function sendOn(unit: Unit, charge: Charge, source: Transfer["source_type"]): Transfer {
  const { destination, amount } = charge.transfer_data!;
  const cents = BigInt(amount ?? charge.amount);
  const id = unit.id("tr_");
  unit.move("platform", destination as Book, cents, id);
  const line = book(unit, { type: "transfer", reporting_category: "transfer", source: id, amount: -cents });
  const transfer = unit.put({
    id,
    object: "transfer" as const,
    amount: onWire(cents),
    amount_reversed: 0,
    balance_transaction: line.id,
    created: unit.created,
    currency: "usd" as const,
    description: null,
    destination,
    livemode: false as const,
    metadata: {},
    reversed: false,
    source_transaction: charge.id,
    source_type: source,
    transfer_group: charge.transfer_group ?? `group_${charge.payment_intent}`,
  });
  unit.emit("transfer.created", transfer);
  return transfer;
}

function takeFee(unit: Unit, charge: Charge, destination: string, cents: bigint): ApplicationFee {
  const id = unit.id("fee_");
  unit.move(destination as Book, "platform", cents, id);
  const line = book(unit, {
    type: "application_fee",
    reporting_category: "platform_earning",
    source: id,
    amount: cents,
  });
  return unit.put({
    id,
    object: "application_fee" as const,
    account: destination,
    amount: onWire(cents),
    amount_refunded: 0,
    application: "ca_sandbox" as const,
    balance_transaction: line.id,
    charge: charge.id,
    created: unit.created,
    currency: "usd" as const,
    livemode: false as const,
    originating_transaction: charge.id,
    refunded: false,
  });
}

/**
 * The customer's money has come: Stripe keeps its fee (of the platform, also for destination charges), passes the
 * amount on to the destination, and the platform's application fee comes back from there.
 */
export function collect(
  unit: Unit,
  intent: PaymentIntent,
  pending: Charge,
  by: "card" | "us_bank_account",
): PaymentIntent {
  const cents = BigInt(intent.amount);
  const fee = by === "card" ? cardFee(cents) : achFee(cents);
  unit.move("external", "platform", cents, pending.id);
  unit.move("platform", "fees", fee, pending.id);
  const type = by === "card" ? "charge" : "payment";
  const line = book(unit, {
    type,
    reporting_category: "charge",
    source: pending.id,
    amount: cents,
    fee,
    description: intent.description,
  });
  const transfer = pending.transfer_data && sendOn(unit, pending, by === "card" ? "card" : "bank_account");
  const applicationFee =
    transfer && intent.application_fee_amount
      ? takeFee(unit, pending, transfer.destination, BigInt(intent.application_fee_amount))
      : null;
  if (transfer) expectPayout(unit, transfer.destination);
  const charge = unit.put({
    ...pending,
    application_fee: applicationFee?.id ?? null,
    balance_transaction: line.id,
    outcome: {
      network_status: "approved_by_network",
      reason: null,
      seller_message: "Payment complete.",
      type: "authorized",
    },
    transfer: transfer?.id ?? null,
  });
  const succeeded = unit.put({
    ...intent,
    status: "succeeded" as const,
    amount_received: intent.amount,
    latest_charge: charge.id,
    last_payment_error: null,
  });
  unit.emit("payment_intent.succeeded", succeeded);
  return succeeded;
}
