import { debitBank } from "./bank-debits.ts";
import type { Confirmation } from "./confirmation.ts";
import {
  AUTHENTICATION_REQUIRED,
  type Decline,
  declinedCard,
  declineOf,
  GENERIC_DECLINE,
} from "./declines.ts";
import { invalid } from "./errors.ts";
import { authentication } from "./intents.ts";
import { newCharge } from "./new-charge.ts";
import type { PaymentIntent, PaymentMethod } from "./objects.ts";
import { behaviourOf } from "./payment-methods.ts";
import { isDeclinedByScript } from "./scripts.ts";
import { collect } from "./settling.ts";
import type { Unit } from "./unit.ts";

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
