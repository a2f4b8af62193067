import { collectCard } from "./charging.ts";
import type { PaymentIntent, SetupIntent } from "./objects.ts";
import { setUp, setupFailed } from "./setup-outcomes.ts";
import type { Unit } from "./unit.ts";

const REFUSED = {
  message:
    "We are unable to authenticate your payment method. Please choose a different payment method and try again.",
};

/** The card holder has answered the bank's question with yes: the intent that waited for it goes on. */
export function paidOnPage(unit: Unit, intent: PaymentIntent | SetupIntent): void {
  if (intent.object === "setup_intent") setUp(unit, intent);
  else collectCard(unit, intent, unit.get("payment_method", intent.payment_method!));
}

/** The card holder has answered no. */
export function declinedOnPage(unit: Unit, intent: PaymentIntent | SetupIntent): void {
  if (intent.object === "setup_intent") {
    setupFailed(unit, intent, { code: "setup_intent_authentication_failure", ...REFUSED });
    return;
  }
  const failed = unit.put({
    ...intent,
    status: "requires_payment_method" as const,
    payment_method: null,
    next_action: null,
    last_payment_error: {
      type: "invalid_request_error" as const,
      code: "payment_intent_authentication_failure",
      ...REFUSED,
      payment_method: unit.get("payment_method", intent.payment_method!),
    },
  });
  unit.emit("payment_intent.payment_failed", failed);
}
