import type { Charge, PaymentIntent, PaymentMethod } from "./objects.ts";
import type { Unit } from "./unit.ts";

/** One attempt to take the money of a payment, as it begins. */
export function newCharge(
  unit: Unit,
  intent: PaymentIntent,
  method: PaymentMethod,
  status: Charge["status"],
): Charge {
  const { transfer_data } = intent;
  return {
    id: unit.id(method.type === "card" ? "ch_" : "py_"),
    object: "charge",
    amount: intent.amount,
    amount_captured: status === "failed" ? 0 : intent.amount,
    amount_refunded: 0,
    application_fee: null,
    application_fee_amount: intent.application_fee_amount,
    balance_transaction: null,
    captured: status !== "failed",
    created: unit.created,
    currency: "usd",
    customer: intent.customer,
    description: intent.description,
    destination: transfer_data?.destination ?? null,
    disputed: false,
    failure_code: null,
    failure_message: null,
    livemode: false,
    metadata: intent.metadata,
    on_behalf_of: intent.on_behalf_of,
    outcome: null,
    paid: status === "succeeded",
    payment_intent: intent.id,
    payment_method: method.id,
    payment_method_details:
      method.type === "card"
        ? { type: "card", card: method.card! }
        : { type: "us_bank_account", us_bank_account: method.us_bank_account! },
    refunded: false,
    statement_descriptor_suffix: intent.statement_descriptor_suffix,
    status,
    transfer: null,
    transfer_data: transfer_data
      ? { destination: transfer_data.destination, amount: transfer_data.amount ?? null }
      : null,
    transfer_group: intent.transfer_group,
  };
}
