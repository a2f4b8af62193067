import type { Cents } from "@tributary/contracts/money";

/** One attempt of a charge, as Stripe is asked for it. */
export interface Order {
  readonly idempotency_key: string;
  readonly attempt: number;
  readonly amount_grossed_cents: Cents;
  readonly application_fee_amount_cents: Cents;
  readonly stripe_customer_id: string;
  readonly stripe_payment_method_id: string;
  readonly pm_type: "card" | "us_bank_account";
  readonly mandate_id: string | null;
  readonly destination_account_id: string | null;
  readonly statement_descriptor: string | null;
  readonly statement_descriptor_suffix: string | null;
  readonly metadata: Readonly<Record<string, string>>;
}

/** What Stripe says of an attempt now. */
export type Seen = { readonly stripe_payment_intent_id: string | null } & (
  | { readonly status: "processing" }
  | {
      readonly status: "succeeded";
      readonly fee_cents: Cents;
      readonly stripe_charge_id: string | null;
      readonly stripe_transfer_id: string | null;
    }
  | { readonly status: "requires_action"; readonly stripe_payment_intent_id: string }
  | { readonly status: "failed"; readonly code: string; readonly message: string }
);

/** An attempt found at Stripe, with what we wrote on it when we sent it. */
export interface Found {
  readonly metadata: Readonly<Record<string, string>>;
  readonly seen: Seen;
}

/** A way to pay as Stripe knows it. */
export interface KnownMethod {
  readonly stripe_payment_method_id: string;
  readonly stripe_customer_id: string | null;
  readonly pm_type: "card" | "us_bank_account";
  readonly bank_name: string | null;
  readonly bank_last4: string | null;
  readonly ach_fingerprint: string | null;
  /** Why the bank lets nobody debit it, with the network's return code. */
  readonly blocked: { readonly reason: string; readonly network_code: string | null } | null;
}

/** All that has gone back of a paid attempt so far. */
export interface SeenBack {
  readonly stripe_payment_intent_id: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly refunded_cents: Cents;
  /** Taken back from the creator's account, and what of the application fee they got back. */
  readonly reversed_cents: Cents;
  readonly fee_returned_cents: Cents;
  /** What the bank holds of it now, and what the partner took for it, in sum of all disputes; the status of the latest. */
  readonly dispute: {
    readonly stripe_dispute_id: string;
    readonly status: "open" | "won" | "lost";
    readonly reason: string;
    readonly withdrawn_cents: Cents;
    readonly fee_cents: Cents;
  } | null;
}

/** An attempt that waits for its card holder: the bank's page, when it still does. */
export interface Asked {
  readonly seen: Seen;
  readonly url: string | null;
}

/** How far the setting-up of a way to pay has come. */
export interface SetUp {
  readonly setup_intent_id: string;
  readonly status: "verified" | "pending" | "failed";
  readonly mandate_id: string | null;
  readonly verification_method: string | null;
  /** Why it has failed. */
  readonly reason: string | null;
}

/** Whose method something is about; null where Stripe says none of ours. */
export interface BelongsTo {
  readonly brand_id: string | null;
  readonly stripe_payment_method_id: string | null;
}

/** A creator's account as Stripe knows it. */
export interface KnownAccount {
  readonly stripe_account_id: string;
  readonly creator_id: string | null;
  readonly onboarding_status: "incomplete" | "pending" | "restricted" | "complete";
  readonly payouts_enabled: boolean;
  readonly currently_due: string[];
}

/** A webhook whose signature is Stripe's; only what it points at is used. */
export interface Notice {
  readonly stripe_event_id: string;
  readonly environment: "live" | "test";
  readonly event_type: string;
  readonly object_id: string;
  readonly account: string | null;
}

/** Who agreed to be debited, as the law wants it kept. */
export interface Acceptance {
  readonly ip_address: string;
  readonly user_agent: string;
}

/** Stripe, as far as the product needs it. What can't be told apart from a defect or an outage is thrown. */
export interface StripePartner {
  openCustomer(brand_id: string): Promise<string>;
  /** For a browser to collect a card or a bank account with. */
  startSetup(customer: string): Promise<{ setup_intent_id: string; client_secret: string }>;
  /** Null when Stripe knows no such method. */
  method(id: string): Promise<KnownMethod | null>;
  /** Sets an unattached method up for the customer; a refusal of the bank is `failed`. */
  setUp(
    customer: string,
    method: string,
    acceptance: Acceptance,
  ): Promise<{ method: KnownMethod; setup: SetUp }>;
  /** How the method came to the customer; null when it was attached without being set up. */
  setUpOf(customer: string, method: string): Promise<SetUp | null>;
  verifyDeposits(
    setup_intent_id: string,
    seen: { amounts: number[] } | { descriptor_code: string },
  ): Promise<SetUp>;
  charge(order: Order): Promise<Seen>;
  /** The attempt, when Stripe has it; sent since the instant given (ISO 8601). */
  findCharge(order: Order, since: string): Promise<Seen | null>;
  intent(id: string): Promise<Found>;
  /** What has gone back of the payment that a webhook's object belongs to; null when it belongs to none. */
  moneyBack(event_type: string, object_id: string): Promise<SeenBack | null>;
  /** Lets the bank ask the card holder about an attempt that was refused for want of them. */
  authenticate(payment_intent: string, payment_method: string, return_url: string): Promise<Asked>;
  /** Calls an attempt off, so that nobody can pay it any more, and says what has become of it. */
  callOff(payment_intent: string): Promise<Seen>;
  /** The setting-up of a method, and the brand whose customer it belongs to. */
  setUpNamed(setup_intent_id: string): Promise<SetUp & BelongsTo>;
  /** The agreement to debit a method, and whether it is still in force. */
  mandate(id: string): Promise<{ stripe_payment_method_id: string; active: boolean }>;
  openAccount(creator_id: string): Promise<string>;
  /** A single-use address where the creator tells Stripe who they are. */
  onboardingUrl(account: string, back: { return_url: string; refresh_url: string }): Promise<string>;
  account(id: string): Promise<KnownAccount>;
  /** Everything Stripe has told of the platform's own payments between two instants (ISO 8601), the oldest first. */
  told(since: string, before: string): Promise<Notice[]>;
  /** Null when the signature is not Stripe's, or too old at `now`. */
  notice(raw: Buffer, signature: string | undefined, secret: string, now: string): Promise<Notice | null>;
}
