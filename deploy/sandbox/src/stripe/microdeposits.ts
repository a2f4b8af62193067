import { bankMorning, seconds } from "./days.ts";
import { StripeError, unexpectedState } from "./errors.ts";
import type { PaymentMethod, SetupIntent } from "./objects.ts";
import { behaviourOf } from "./payment-methods.ts";
import { setUp, setupFailed } from "./setup-outcomes.ts";
import { judgeDeposits } from "./test-values.ts";
import type { Unit } from "./unit.ts";

const DAYS_TO_VERIFY = 10;
const GUESSES = { amounts: 3, codes: 10 };

/** Sends the two small deposits; they arrive on the next day and wait ten days for somebody who has seen them. */
export function awaitDeposits(unit: Unit, intent: SetupIntent): SetupIntent {
  const waiting = unit.put({
    ...intent,
    status: "requires_action" as const,
    next_action: {
      type: "verify_with_microdeposits" as const,
      verify_with_microdeposits: {
        arrival_date: seconds(bankMorning(unit.now, 1)),
        hosted_verification_url: `${unit.origin()}/_sandbox/stripe/microdeposits/${intent.id}`,
        microdeposit_type: "descriptor_code" as const,
      },
    },
  });
  const at = bankMorning(unit.now, DAYS_TO_VERIFY).toISOString();
  unit.put({
    id: intent.id,
    object: "due",
    at,
    what: { kind: "microdeposits_unverified", setup_intent: intent.id },
  });
  unit.emit("setup_intent.requires_action", waiting);
  return waiting;
}

function refused(
  unit: Unit,
  intent: SetupIntent,
  code: string,
  message: string,
  isFinal: boolean,
): StripeError {
  const setup_intent = isFinal ? setupFailed(unit, intent, { code, message }) : intent;
  return new StripeError(400, { type: "invalid_request_error", code, message, setup_intent }, true);
}

function mismatch(unit: Unit, intent: SetupIntent, kind: "amounts" | "codes"): StripeError {
  const before = unit.find("microdeposit_guesses", intent.id);
  const guesses = before ?? { id: intent.id, object: "microdeposit_guesses" as const, amounts: 0, codes: 0 };
  const after = unit.put({ ...guesses, [kind]: guesses[kind] + 1 });
  if (after[kind] >= GUESSES[kind]) return attemptsExceeded(unit, intent);
  const left = GUESSES[kind] - after[kind];
  return kind === "amounts"
    ? refused(
        unit,
        intent,
        "payment_method_microdeposit_verification_amounts_mismatch",
        `The amounts provided do not match the amounts that were sent to the bank account. You have ${left} more verification attempts.`,
        false,
      )
    : refused(
        unit,
        intent,
        "payment_method_microdeposit_verification_descriptor_code_mismatch",
        `The descriptor code provided does not match the one sent to the bank account. You have ${left} more verification attempts.`,
        false,
      );
}

function attemptsExceeded(unit: Unit, intent: SetupIntent): StripeError {
  const message = "You have exceeded the number of allowed verification attempts.";
  return refused(unit, intent, "payment_method_microdeposit_verification_attempts_exceeded", message, true);
}

/** The ten days are over, or the bank has sent the deposits back. */
export function depositsUnverified(unit: Unit, intent: SetupIntent): SetupIntent {
  const code = "payment_method_microdeposit_verification_timeout";
  return setupFailed(unit, intent, { code, message: "The deposits were not verified within ten days." });
}

function bounced(unit: Unit, method: PaymentMethod): boolean {
  return behaviourOf(unit, method) === "deposits_fail";
}

/** Somebody claims to have seen the deposits: sets the account up, counts a wrong guess, or gives up. */
export function verifyDeposits(
  unit: Unit,
  intent: SetupIntent,
  seen: Parameters<typeof judgeDeposits>[0],
): SetupIntent {
  if (intent.status !== "requires_action" || intent.next_action?.type !== "verify_with_microdeposits")
    throw unexpectedState(
      "setup_intent",
      `This SetupIntent has a status of ${intent.status} and no deposits to verify.`,
    );
  const method = unit.get("payment_method", intent.payment_method!);
  if (bounced(unit, method))
    throw refused(
      unit,
      intent,
      "payment_method_microdeposit_failed",
      "The deposits could not be sent to this bank account.",
      true,
    );
  switch (judgeDeposits(seen)) {
    case "verified":
      return setUp(unit, intent);
    case "attempts_exceeded":
      throw attemptsExceeded(unit, intent);
    case "timeout":
      throw refused(
        unit,
        intent,
        "payment_method_microdeposit_verification_timeout",
        "The deposits were not verified in time.",
        true,
      );
    default:
      throw mismatch(unit, intent, "amounts" in seen ? "amounts" : "codes");
  }
}
