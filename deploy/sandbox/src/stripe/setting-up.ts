import { declinedCard, declineOf } from "./declines.ts";
import { invalid } from "./errors.ts";
import { authentication } from "./intents.ts";
import { agree, type mandateData } from "./mandates.ts";
import { awaitDeposits } from "./microdeposits.ts";
import type { PaymentMethod, SetupIntent } from "./objects.ts";
import { behaviourOf } from "./payment-methods.ts";
import { setUp } from "./setup-outcomes.ts";
import type { Unit } from "./unit.ts";

interface Given {
  mandate_data?: ReturnType<typeof mandateData.parse> | undefined;
  return_url?: string | undefined;
}

function setUpCard(unit: Unit, intent: SetupIntent, method: PaymentMethod, given: Given): SetupIntent {
  const behaviour = behaviourOf(unit, method);
  const decline = declineOf(behaviour, "saved");
  if (decline) {
    const { code, message, decline_code } = decline;
    const failed = unit.put({
      ...intent,
      status: "requires_payment_method" as const,
      payment_method: null,
      last_setup_error: { type: "card_error" as const, code, message, decline_code, payment_method: method },
    });
    unit.emit("setup_intent.setup_failed", failed);
    throw declinedCard(decline, { setup_intent: failed, payment_method: method });
  }
  if (behaviour !== "asks_for_authentication") return setUp(unit, intent);
  const waiting = unit.put({
    ...intent,
    status: "requires_action" as const,
    next_action: authentication(unit, intent.id, given.return_url),
  });
  unit.emit("setup_intent.requires_action", waiting);
  return waiting;
}

function setUpBank(unit: Unit, intent: SetupIntent, method: PaymentMethod, given: Given): SetupIntent {
  if (!given.mandate_data)
    throw invalid("A mandate is required to set up this us_bank_account: pass mandate_data.", {
      code: "setup_intent_mandate_invalid",
      param: "mandate_data",
    });
  const { id: mandate } = agree(unit, method, given.mandate_data);
  const agreed = { ...intent, mandate };
  const options = intent.payment_method_options?.us_bank_account as
    | { verification_method?: string }
    | undefined;
  return options?.verification_method === "instant" ? setUp(unit, agreed) : awaitDeposits(unit, agreed);
}

/** Confirms the intent with the payment method it has: at once, after authentication, or after two small deposits. */
export function confirmSetup(unit: Unit, intent: SetupIntent, given: Given): SetupIntent {
  if (intent.payment_method === null)
    throw invalid(
      "You cannot confirm this SetupIntent because it's missing a payment method. Update the SetupIntent with a payment method and then confirm it again.",
      { code: "setup_intent_unexpected_state", param: "payment_method" },
    );
  const method = unit.get("payment_method", intent.payment_method);
  return method.type === "card"
    ? setUpCard(unit, intent, method, given)
    : setUpBank(unit, intent, method, given);
}
