import { asCents } from "@tributary/contracts/money";
import type Stripe from "stripe";
import type { KnownAccount, KnownMethod, Notice, Seen, SetUp } from "./partner.ts";

export const idOf = (of: string | { id: string } | null | undefined): string | null =>
  typeof of === "string" ? of : (of?.id ?? null);

/** Why a bank refuses a card whose holder it can't ask. */
export const AUTHENTICATION = "authentication_required";

/** Reads a payment intent whose latest charge is shown in full, its fee with it. */
export function seenOf(intent: Stripe.PaymentIntent): Seen {
  const stripe_payment_intent_id = intent.id;
  if (intent.status === "processing") return { status: "processing", stripe_payment_intent_id };
  if (intent.status === "succeeded") {
    const charge = intent.latest_charge as Stripe.Charge;
    const booked = charge.balance_transaction as Stripe.BalanceTransaction;
    return {
      status: "succeeded",
      stripe_payment_intent_id,
      fee_cents: asCents(BigInt(booked.fee)),
      stripe_charge_id: charge.id,
      stripe_transfer_id: idOf(charge.transfer),
    };
  }
  const failed = intent.last_payment_error;
  const waits = intent.status === "requires_payment_method" && failed?.code === AUTHENTICATION;
  if (intent.status === "requires_action" || waits)
    return { status: "requires_action", stripe_payment_intent_id };
  return {
    status: "failed",
    stripe_payment_intent_id,
    code: failed?.decline_code ?? failed?.code ?? intent.status,
    message: failed?.message ?? `The payment is ${intent.status.replaceAll("_", " ")}.`,
  };
}

/** A card or a US bank account; anything else was not asked for and is a defect. */
export function knownMethod(method: Stripe.PaymentMethod): KnownMethod {
  const pm_type = method.card ? "card" : method.us_bank_account ? "us_bank_account" : null;
  if (!pm_type) throw new Error(`payment method ${method.id} is a ${method.type}`);
  const { card, us_bank_account: bank } = method;
  const blocked = bank?.status_details?.blocked ?? null;
  return {
    stripe_payment_method_id: method.id,
    stripe_customer_id: idOf(method.customer),
    pm_type,
    bank_name: bank?.bank_name ?? card?.brand ?? null,
    bank_last4: bank?.last4 ?? card?.last4 ?? null,
    ach_fingerprint: bank?.fingerprint ?? null,
    blocked: blocked && { reason: blocked.reason ?? "blocked", network_code: blocked.network_code },
  };
}

/** The brand of a customer that is shown in full. */
export const brandOf = (customer: string | Stripe.Customer | Stripe.DeletedCustomer | null): string | null =>
  customer && typeof customer !== "string" && !customer.deleted ? (customer.metadata.brand_id ?? null) : null;

/** The address where the card holder agrees; null when nobody is asked. */
export const pageOf = (intent: Stripe.PaymentIntent): string | null =>
  intent.status === "requires_action" ? (intent.next_action?.redirect_to_url?.url ?? null) : null;

/** A setup that waits for two small deposits to be seen is `pending`. */
export function setUpFrom(intent: Stripe.SetupIntent): SetUp {
  const status = { succeeded: "verified", requires_action: "pending", processing: "pending" } as const;
  return {
    setup_intent_id: intent.id,
    status: status[intent.status as keyof typeof status] ?? "failed",
    mandate_id: idOf(intent.mandate),
    verification_method: intent.next_action?.type ?? null,
    reason: intent.last_setup_error?.code ?? null,
  };
}

/** What an event of Stripe points at; what it says besides is not believed. */
export const noticeFrom = (event: Stripe.Event): Notice => ({
  stripe_event_id: event.id,
  environment: event.livemode ? "live" : "test",
  event_type: event.type,
  object_id: (event.data.object as { id?: string }).id ?? "",
  account: event.account ?? null,
});

/** Whether the creator's account can take money yet. */
export function knownAccount(account: Stripe.Account): KnownAccount {
  const able = account.payouts_enabled === true && account.capabilities?.transfers === "active";
  const waiting = account.requirements?.disabled_reason?.startsWith("requirements.past_due")
    ? ("restricted" as const)
    : ("pending" as const);
  return {
    stripe_account_id: account.id,
    creator_id: account.metadata?.creator_id ?? null,
    onboarding_status: able ? "complete" : account.details_submitted ? waiting : "incomplete",
    payouts_enabled: able,
    currently_due: account.requirements?.currently_due ?? [],
  };
}
