import type { Account, ApplicationFee, Payout, Transfer, TransferReversal } from "./connect-objects.ts";
import type { Base, Metadata } from "./object-base.ts";

/** Somebody who pays: a brand. */
export interface Customer extends Base {
  object: "customer";
  email: string | null;
  name: string | null;
  phone: string | null;
  description: string | null;
  metadata: Metadata;
  balance: 0;
  currency: null;
  delinquent: false;
  default_source: null;
  invoice_settings: { default_payment_method: string | null };
}

/** What may be shown of a card. */
export interface CardDetails {
  brand: string;
  last4: string;
  exp_month: number;
  exp_year: number;
  fingerprint: string;
  funding: "credit";
  country: "US";
}

/** What may be shown of a US bank account; `blocked` once a bank has refused it for good. */
export interface BankDetails {
  bank_name: string;
  last4: string;
  fingerprint: string;
  routing_number: string;
  account_holder_type: "individual" | "company";
  account_type: "checking" | "savings";
  financial_connections_account: null;
  networks: { preferred: "ach"; supported: ["ach"] };
  status_details: { blocked: { network_code: string; reason: string } } | null;
}

/** A card or a bank account. */
export interface PaymentMethod extends Base {
  object: "payment_method";
  type: "card" | "us_bank_account";
  customer: string | null;
  billing_details: { address: null; email: string | null; name: string | null; phone: string | null };
  metadata: Metadata;
  card?: CardDetails;
  us_bank_account?: BankDetails;
}

/** What went wrong last, inside an intent. */
export interface LastError {
  type: "card_error" | "invalid_request_error";
  code: string;
  message: string;
  decline_code?: string;
  charge?: string;
  payment_method?: PaymentMethod;
}

/** What the customer has to do before an intent can go on. */
export type NextAction =
  | {
      type: "verify_with_microdeposits";
      verify_with_microdeposits: {
        arrival_date: number;
        hosted_verification_url: string;
        microdeposit_type: "amounts" | "descriptor_code";
      };
    }
  | { type: "redirect_to_url"; redirect_to_url: { url: string; return_url: string | null } }
  | { type: "use_stripe_sdk"; use_stripe_sdk: { type: "three_d_secure_redirect"; stripe_js: string } };

type IntentStatus =
  | "requires_payment_method"
  | "requires_confirmation"
  | "requires_action"
  | "canceled"
  | "succeeded";

/** The setting up of a payment method for later. */
export interface SetupIntent extends Base {
  object: "setup_intent";
  status: IntentStatus;
  client_secret: string;
  customer: string | null;
  payment_method: string | null;
  allowed_payment_method_types: string[] | null;
  payment_method_types: string[];
  payment_method_options: Record<string, unknown> | null;
  usage: "off_session" | "on_session";
  mandate: string | null;
  next_action: NextAction | null;
  last_setup_error: LastError | null;
  cancellation_reason: string | null;
  description: string | null;
  on_behalf_of: string | null;
  single_use_mandate: null;
  latest_attempt: null;
  metadata: Metadata;
}

/** A customer's agreement to be debited. */
export interface Mandate {
  id: string;
  object: "mandate";
  livemode: false;
  status: "active" | "inactive" | "pending";
  type: "multi_use" | "single_use";
  payment_method: string;
  customer_acceptance: {
    accepted_at: number;
    type: "online" | "offline";
    online?: { ip_address: string; user_agent: string };
    offline?: Record<string, never>;
  };
  payment_method_details: {
    type: string;
    us_bank_account?: { collection_method: "paper" | null };
    card?: object;
  };
  multi_use: Record<string, never>;
}

/** One payment, from being asked for to its end. */
export interface PaymentIntent extends Base {
  object: "payment_intent";
  amount: number;
  amount_capturable: 0;
  amount_received: number;
  application_fee_amount: number | null;
  automatic_payment_methods: { enabled: boolean; allow_redirects: "always" | "never" } | null;
  canceled_at: number | null;
  cancellation_reason: string | null;
  capture_method: "automatic" | "automatic_async";
  client_secret: string;
  confirmation_method: "automatic";
  currency: "usd";
  customer: string | null;
  description: string | null;
  last_payment_error: LastError | null;
  latest_charge: string | null;
  metadata: Metadata;
  next_action: NextAction | null;
  on_behalf_of: string | null;
  payment_method: string | null;
  allowed_payment_method_types: string[] | null;
  payment_method_types: string[];
  receipt_email: string | null;
  setup_future_usage: "off_session" | "on_session" | null;
  statement_descriptor: string | null;
  statement_descriptor_suffix: string | null;
  status: IntentStatus | "processing";
  transfer_data: { destination: string; amount?: number } | null;
  transfer_group: string | null;
}

/** One attempt to take the money of a payment. */
export interface Charge extends Base {
  object: "charge";
  amount: number;
  amount_captured: number;
  amount_refunded: number;
  application_fee: string | null;
  application_fee_amount: number | null;
  balance_transaction: string | null;
  captured: boolean;
  currency: "usd";
  customer: string | null;
  description: string | null;
  destination: string | null;
  disputed: boolean;
  failure_code: string | null;
  failure_message: string | null;
  metadata: Metadata;
  on_behalf_of: string | null;
  outcome: { network_status: string; reason: string | null; seller_message: string; type: string } | null;
  paid: boolean;
  payment_intent: string;
  payment_method: string;
  payment_method_details: { type: string; card?: object; us_bank_account?: object };
  refunded: boolean;
  statement_descriptor_suffix: string | null;
  status: "failed" | "pending" | "succeeded";
  transfer: string | null;
  transfer_data: { destination: string; amount: number | null } | null;
  transfer_group: string | null;
}

/** One line of the platform's balance. */
export interface BalanceTransaction {
  id: string;
  object: "balance_transaction";
  amount: number;
  available_on: number;
  created: number;
  currency: "usd";
  description: string | null;
  exchange_rate: null;
  fee: number;
  fee_details: {
    amount: number;
    application: null;
    currency: "usd";
    description: string;
    type: "stripe_fee";
  }[];
  net: number;
  reporting_category: string;
  source: string;
  status: "available" | "pending";
  type:
    | "adjustment"
    | "application_fee"
    | "application_fee_refund"
    | "charge"
    | "payment"
    | "refund"
    | "transfer"
    | "transfer_refund";
}

/** Money given back to a customer. */
export interface Refund {
  id: string;
  object: "refund";
  amount: number;
  balance_transaction: string;
  charge: string;
  created: number;
  currency: "usd";
  metadata: Metadata;
  payment_intent: string;
  reason: string | null;
  status: "succeeded";
  transfer_reversal: string | null;
}

/** A debit taken back by the account holder. */
export interface Dispute extends Base {
  object: "dispute";
  amount: number;
  balance_transactions: BalanceTransaction[];
  charge: string;
  currency: "usd";
  is_charge_refundable: false;
  metadata: Metadata;
  payment_intent: string;
  reason: "debit_not_authorized";
  status: "lost";
}

/** Where events are sent. */
export interface WebhookEndpoint extends Base {
  object: "webhook_endpoint";
  api_version: string | null;
  description: string | null;
  enabled_events: string[];
  metadata: Metadata;
  secret?: string;
  status: "disabled" | "enabled";
  url: string;
  application: string | null;
}

/** Something that happened, as told to the platform. */
export interface Event extends Base {
  object: "event";
  account?: string;
  api_version: string;
  data: { object: unknown; previous_attributes?: Record<string, unknown> };
  pending_webhooks: number;
  request: { id: string | null; idempotency_key: string | null };
  type: string;
}

/** Every kind of object the sandbox keeps, by the name in its `object` field. */
export interface Kinds {
  customer: Customer;
  payment_method: PaymentMethod;
  setup_intent: SetupIntent;
  mandate: Mandate;
  payment_intent: PaymentIntent;
  charge: Charge;
  balance_transaction: BalanceTransaction;
  refund: Refund;
  dispute: Dispute;
  transfer: Transfer;
  transfer_reversal: TransferReversal;
  application_fee: ApplicationFee;
  account: Account;
  payout: Payout;
  webhook_endpoint: WebhookEndpoint;
  event: Event;
}

/** The name of a kind of object. */
export type Kind = keyof Kinds;
/** Any object. */
export type Stored = Kinds[Kind];
