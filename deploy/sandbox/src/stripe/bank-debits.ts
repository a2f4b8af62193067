import type { Confirmation } from "./confirmation.ts";
import { bankMorning } from "./days.ts";
import { expectDispute } from "./disputes.ts";
import { invalid } from "./errors.ts";
import { activeMandate, agree, revokeMandates } from "./mandates.ts";
import { newCharge } from "./new-charge.ts";
import type { PaymentIntent, PaymentMethod } from "./objects.ts";
import { behaviourOf } from "./payment-methods.ts";
import { failsAtBank } from "./scripts.ts";
import { collect } from "./settling.ts";
import type { AchFailure } from "./state.ts";
import type { BankBehaviour } from "./test-values.ts";
import type { Unit } from "./unit.ts";

const DAYS_OF_ACH = 4;

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

/** Asks the bank for the money, under an agreement in force; it answers four days later. */
export function debitBank(
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
