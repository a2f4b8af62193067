import { invalid, missing } from "./errors.ts";
import type { NextAction, PaymentIntent, SetupIntent } from "./objects.ts";
import type { Unit } from "./unit.ts";

interface Reading {
  client_secret?: string | undefined;
}

/** The intent an address names; a browser must know its client_secret. */
export function intentNamed<K extends "payment_intent" | "setup_intent">(
  { unit, path, publishable }: { unit: Unit; path: Record<string, string>; publishable: boolean },
  kind: K,
  { client_secret }: Reading = {},
) {
  const param = "intent";
  const found = unit.find(kind, path.id!);
  if (!found) throw missing(kind, path.id!, param, 404);
  if ((publishable || client_secret !== undefined) && client_secret !== found.client_secret) {
    if (client_secret === undefined)
      throw invalid("Missing required param: client_secret.", {
        code: "parameter_missing",
        param: "client_secret",
      });
    throw invalid(
      `The client_secret provided does not match the client_secret associated with the ${kind}.`,
      {
        code: `${kind}_invalid_parameter`,
        param: "client_secret",
      },
    );
  }
  return found;
}

/** Sends the card holder to the bank's page; the browser library does it itself when nobody said where to come back to. */
export function authentication(unit: Unit, id: string, returnUrl: string | undefined): NextAction {
  const url = `${unit.origin()}/_sandbox/stripe/authenticate/${id}`;
  return returnUrl === undefined
    ? { type: "use_stripe_sdk", use_stripe_sdk: { type: "three_d_secure_redirect", stripe_js: url } }
    : { type: "redirect_to_url", redirect_to_url: { url, return_url: returnUrl } };
}

const CANCELABLE = ["requires_action", "requires_confirmation", "requires_payment_method"];

/** Cancels an intent that waits for somebody, refuses one that is under way or over. */
export function canceled<I extends PaymentIntent | SetupIntent>(intent: I, reason: string | undefined): I {
  if (!CANCELABLE.includes(intent.status)) {
    const name = intent.object === "payment_intent" ? "PaymentIntent" : "SetupIntent";
    const list = CANCELABLE.join(", ");
    throw invalid(
      `You cannot cancel this ${name} because it has a status of ${intent.status}. Only a ${name} with one of the following statuses may be canceled: ${list}.`,
      { code: `${intent.object}_unexpected_state` },
    );
  }
  return { ...intent, status: "canceled", cancellation_reason: reason ?? null, next_action: null };
}
