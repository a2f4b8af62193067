import type { SetupIntent } from "./objects.ts";
import { attachTo } from "./payment-methods.ts";
import type { Unit } from "./unit.ts";

/** The method is usable from now on: attached to the intent's customer, the intent over. */
export function setUp(unit: Unit, intent: SetupIntent): SetupIntent {
  const method = unit.get("payment_method", intent.payment_method!);
  if (intent.customer !== null) attachTo(unit, method, intent.customer);
  const succeeded = unit.put({
    ...intent,
    status: "succeeded" as const,
    next_action: null,
    last_setup_error: null,
  });
  unit.drop("due", intent.id);
  unit.emit("setup_intent.succeeded", succeeded);
  return succeeded;
}

/** The attempt has failed for good; another payment method may be tried. */
export function setupFailed(
  unit: Unit,
  intent: SetupIntent,
  error: { code: string; message: string },
): SetupIntent {
  const { payment_method } = intent;
  const failed = unit.put({
    ...intent,
    status: "requires_payment_method" as const,
    payment_method: null,
    next_action: null,
    last_setup_error: {
      type: "invalid_request_error" as const,
      ...error,
      ...(payment_method ? { payment_method: unit.get("payment_method", payment_method) } : {}),
    },
  });
  unit.drop("due", intent.id);
  unit.emit("setup_intent.setup_failed", failed);
  return failed;
}
