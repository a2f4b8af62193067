import { StripeError } from "./errors.ts";
import type { PaymentIntent, PaymentMethod, SetupIntent } from "./objects.ts";
import type { BankBehaviour, CardBehaviour } from "./test-values.ts";

/** Why a card issuer says no, in Stripe's codes and words. */
export interface Decline {
  code: "authentication_required" | "card_declined" | "expired_card";
  decline_code: string;
  message: string;
  advice_code?: string;
}

/** The issuer gives no reason; trying again later may help. */
export const GENERIC_DECLINE: Decline = {
  code: "card_declined",
  decline_code: "generic_decline",
  message: "Your card was declined.",
  advice_code: "try_again_later",
};

/** Off-session payments cannot ask the card holder, who would have to come back and confirm. */
export const AUTHENTICATION_REQUIRED: Decline = {
  code: "authentication_required",
  decline_code: "authentication_required",
  message: "Your card was declined. This transaction requires authentication.",
};

/** What the issuer says to this card when it is saved, or when it is charged; null when it agrees. */
export function declineOf(
  behaviour: BankBehaviour | CardBehaviour,
  when: "charged" | "saved",
): Decline | null {
  switch (behaviour) {
    case "declined":
      return GENERIC_DECLINE;
    case "expired":
      return {
        code: "expired_card",
        decline_code: "expired_card",
        message: "Your card has expired.",
        advice_code: "do_not_try_again",
      };
    case "insufficient_funds":
      return {
        code: "card_declined",
        decline_code: "insufficient_funds",
        message: "Your card has insufficient funds.",
        advice_code: "try_again_later",
      };
    case "fails_when_charged":
      return when === "charged" ? GENERIC_DECLINE : null;
    default:
      return null;
  }
}

interface Involved {
  charge?: string;
  payment_intent?: PaymentIntent;
  payment_method?: PaymentMethod;
  setup_intent?: SetupIntent;
}

/** 402, with what it touched; that much has happened, so it is recorded and kept for its idempotency key. */
export function declinedCard(decline: Decline, involved: Involved): StripeError {
  return new StripeError(402, { type: "card_error", ...decline, ...involved }, true);
}
