import type { Seen } from "./partner.ts";
import { AUTHENTICATION } from "./told.ts";

interface Refusal {
  readonly type: string;
  readonly status: number | undefined;
  readonly code: string | undefined;
  readonly message: string;
  readonly intent: string | null;
}

/** What Stripe's library threw, if it is Stripe's own answer. */
export function refusalOf(error: unknown): Refusal | null {
  if (!(error instanceof Error) || !("type" in error) || !String(error.type).startsWith("Stripe"))
    return null;
  const { statusCode, code, decline_code, payment_intent } = error as {
    statusCode?: number;
    code?: string;
    decline_code?: string;
    payment_intent?: { id: string };
  };
  return {
    type: String(error.type),
    status: statusCode,
    code: decline_code ?? code,
    message: error.message,
    intent: payment_intent?.id ?? null,
  };
}

/**
 * The attempt has failed for good: the card was declined, or Stripe won't make such a charge; or it waits for the card holder. Null for everything that is
 * worth sending again (limits, outages, lost connections), and for a key that was used for another charge, which is a
 * defect of ours.
 */
export function bankRefused(error: unknown): Seen | null {
  const refusal = refusalOf(error);
  if (refusal?.type !== "StripeCardError" && refusal?.type !== "StripeInvalidRequestError") return null;
  if (refusal.code === AUTHENTICATION && refusal.intent)
    return { status: "requires_action", stripe_payment_intent_id: refusal.intent };
  return {
    status: "failed",
    stripe_payment_intent_id: refusal.intent,
    code: refusal.code ?? refusal.type,
    message: refusal.message,
  };
}
