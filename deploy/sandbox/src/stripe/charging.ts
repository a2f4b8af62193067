import { bankMorning } from "./days.ts";
import {
  AUTHENTICATION_REQUIRED,
  type Decline,
  declinedCard,
  declineOf,
  GENERIC_DECLINE,
} from "./declines.ts";
import { expectDispute } from "./disputes.ts";
import { invalid } from "./errors.ts";
import { authentication } from "./intents.ts";
import { activeMandate, agree, type mandateData, revokeMandates } from "./mandates.ts";
import type { Charge, PaymentIntent, PaymentMethod } from "./objects.ts";
import { behaviourOf } from "./payment-methods.ts";
import { failsAtBank, isDeclinedByScript } from "./scripts.ts";
import { collect } from "./settling.ts";
import type { AchFailure } from "./state.ts";
import type { BankBehaviour } from "./test-values.ts";
import type { Unit } from "./unit.ts";

/** How a payment is confirmed: with the customer away or present, and under which agreement. */
export interface Confirmation {
  off_session: boolean;
  return_url?: string | undefined;
  mandate?: string | undefined;
  mandate_data?: ReturnType<typeof mandateData.parse> | undefined;
}

const DAYS_OF_ACH = 4;

function newCharge(
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

function declined(unit: Unit, intent: PaymentIntent, method: PaymentMethod, decline: Decline): never {
  const { code, message, decline_code } = decline;
  const charge = unit.put({
    ...newCharge(unit, intent, method, "failed"),
    failure_code: code,
    failure_message: message,
    outcome: {
      network_status: "declined_by_network",
      reason: decline_code,
      seller_message: "The bank returned a decline.",
      type: "issuer_declined",
    },
  });
  const failed = unit.put({
    ...intent,
    status: "requires_payment_method" as const,
    payment_method: null,
    next_action: null,
    latest_charge: charge.id,
    last_payment_error: {
      type: "card_error" as const,
      code,
      message,
      decline_code,
      charge: charge.id,
      payment_method: method,
    },
  });
  unit.emit("payment_intent.payment_failed", failed);
  throw declinedCard(decline, { charge: charge.id, payment_intent: failed, payment_method: method });
}

function chargeCard(
  unit: Unit,
  intent: PaymentIntent,
  method: PaymentMethod,
  how: Confirmation,
): PaymentIntent {
  const behaviour = behaviourOf(unit, method);
  const decline = isDeclinedByScript(unit, intent) ? GENERIC_DECLINE : declineOf(behaviour, "charged");
  if (decline) declined(unit, intent, method, decline);
  if (behaviour !== "asks_for_authentication") return collectCard(unit, intent, method);
  if (how.off_session) declined(unit, intent, method, AUTHENTICATION_REQUIRED);
  const waiting = unit.put({
    ...intent,
    status: "requires_action" as const,
    next_action: authentication(unit, intent.id, how.return_url),
  });
  unit.emit("payment_intent.requires_action", waiting);
  return waiting;
}

/** Takes the money from the card, at once. */
export function collectCard(unit: Unit, intent: PaymentIntent, method: PaymentMethod): PaymentIntent {
  const charge = newCharge(unit, intent, method, "succeeded");
  return collect(unit, { ...intent, next_action: null }, charge, "card");
}

function agreement(unit: Unit, method: PaymentMethod, how: Confirmation): void {
  const broken = { code: "payment_intent_mandate_invalid", param: "mandate" };
  if (how.mandate !== undefined) {
    const mandate = unit.find("mandate", how.mandate);
    if (mandate?.payment_method === method.id && mandate.status === "active") return;
    throw invalid(`The provided mandate ${how.mandate} is not an active one for this PaymentMethod.`, broken);
  }
  if (how.mandate_data) agree(unit, method, how.mandate_data);
  else if (!activeMandate(unit, method.id))
    throw invalid(
      "A mandate is required to debit this us_bank_account: set it up with a SetupIntent or pass mandate_data.",
      broken,
    );
}

const FAILURES: Partial<Record<BankBehaviour, AchFailure>> = {
  account_closed: "account_closed",
  debit_not_authorized: "debit_not_authorized",
  no_account: "no_account",
  short_of_money: "insufficient_funds",
};

function debitBank(
  unit: Unit,
  intent: PaymentIntent,
  method: PaymentMethod,
  how: Confirmation,
): PaymentIntent {
  if (method.us_bank_account!.status_details?.blocked)
    throw invalid("The bank account has been blocked and cannot be debited.", {
      code: "payment_method_bank_account_blocked",
      param: "payment_method",
    });
  agreement(unit, method, how);
  const behaviour = behaviourOf(unit, method) as BankBehaviour;
  const charge = unit.put(newCharge(unit, intent, method, "pending"));
  const processing = unit.put({
    ...intent,
    status: "processing" as const,
    latest_charge: charge.id,
    next_action: null,
  });
  if (behaviour !== "never_answers") {
    const at = bankMorning(unit.now, DAYS_OF_ACH).toISOString();
    const failure = FAILURES[behaviour] ?? (failsAtBank(unit, intent) ? "insufficient_funds" : null);
    unit.put({ id: intent.id, object: "due", at, what: { kind: "ach", payment_intent: intent.id, failure } });
  }
  unit.emit("payment_intent.processing", processing);
  return processing;
}

const BANK_SAYS: Record<AchFailure, { message: string; blocked?: { network_code: string; reason: string } }> =
  {
    account_closed: {
      message: "The customer's bank account has been closed.",
      blocked: { network_code: "R02", reason: "bank_account_closed" },
    },
    debit_not_authorized: {
      message: "The customer has notified their bank that this payment was unauthorized.",
      blocked: { network_code: "R10", reason: "debit_not_authorized" },
    },
    insufficient_funds: { message: "The customer's account has insufficient funds to cover this payment." },
    no_account: {
      message: "The customer's bank account could not be located.",
      blocked: { network_code: "R03", reason: "bank_account_invalid_details" },
    },
  };

/** The bank answers a debit: the money comes, or the debit is sent back, most reasons ending the agreement too. */
export function bankAnswers(unit: Unit, intent: PaymentIntent, failure: AchFailure | null): void {
  const charge = unit.get("charge", intent.latest_charge!);
  const method = unit.get("payment_method", charge.payment_method);
  if (failure === null) {
    collect(unit, intent, { ...charge, status: "succeeded", paid: true }, "us_bank_account");
    if (behaviourOf(unit, method) === "disputes") expectDispute(unit, charge);
    return;
  }
  const { message, blocked } = BANK_SAYS[failure];
  unit.put({
    ...charge,
    status: "failed",
    paid: false,
    captured: false,
    failure_code: failure,
    failure_message: message,
  });
  if (blocked) {
    unit.put({ ...method, us_bank_account: { ...method.us_bank_account!, status_details: { blocked } } });
    revokeMandates(unit, method.id);
  }
  const failed = unit.put({
    ...intent,
    status: "requires_payment_method" as const,
    payment_method: null,
    last_payment_error: {
      type: "invalid_request_error" as const,
      code: failure,
      message,
      charge: charge.id,
      payment_method: unit.get("payment_method", method.id),
    },
  });
  unit.emit("payment_intent.payment_failed", failed);
}

/** Confirms the payment with the method it has: a card answers at once, a bank in four days. */
export function confirmPayment(unit: Unit, intent: PaymentIntent, how: Confirmation): PaymentIntent {
  if (intent.payment_method === null)
    throw invalid(
      "You cannot confirm this PaymentIntent because it's missing a payment method. You can either update the PaymentIntent with a payment method and then confirm it again, or confirm it again directly with a payment method or ConfirmationToken.",
      { code: "payment_intent_unexpected_state", param: "payment_method" },
    );
  const method = unit.get("payment_method", intent.payment_method);
  return method.type === "card"
    ? chargeCard(unit, intent, method, how)
    : debitBank(unit, intent, method, how);
}
