import type { Base, Metadata } from "./object-base.ts";

/** Money passed on from the platform to a connected account. */
export interface Transfer extends Base {
  object: "transfer";
  amount: number;
  amount_reversed: number;
  balance_transaction: string;
  currency: "usd";
  description: string | null;
  destination: string;
  metadata: Metadata;
  reversed: boolean;
  source_transaction: string | null;
  source_type: "card" | "bank_account";
  transfer_group: string | null;
}

/** Money of a transfer taken back. */
export interface TransferReversal {
  id: string;
  object: "transfer_reversal";
  amount: number;
  balance_transaction: string;
  created: number;
  currency: "usd";
  metadata: Metadata;
  source_refund: string | null;
  transfer: string;
}

/** The platform's part of a payment to a connected account. */
export interface ApplicationFee extends Base {
  object: "application_fee";
  account: string;
  amount: number;
  amount_refunded: number;
  application: "ca_sandbox";
  balance_transaction: string;
  charge: string;
  currency: "usd";
  originating_transaction: string;
  refunded: boolean;
}

/** What Stripe still wants to know of an account, and why it may not be paid. */
export interface Requirements {
  currently_due: string[];
  eventually_due: string[];
  past_due: string[];
  pending_verification: string[];
  current_deadline: number | null;
  errors: { code: string; reason: string; requirement: string }[];
  disabled_reason: string | null;
}

/** A creator's express account. */
export interface Account {
  id: string;
  object: "account";
  type: "express";
  business_type: string | null;
  business_profile: {
    url: string | null;
    name: string | null;
    mcc: string | null;
    product_description: string | null;
  };
  capabilities: Record<string, "active" | "inactive" | "pending">;
  charges_enabled: boolean;
  country: string;
  created: number;
  default_currency: "usd";
  details_submitted: boolean;
  email: string | null;
  metadata: Metadata;
  payouts_enabled: boolean;
  requirements: Requirements;
  settings: { payouts: { schedule: { interval: "daily"; delay_days: 2 }; statement_descriptor: null } };
}

/** A connected account's balance on its way to its bank. */
export interface Payout extends Base {
  object: "payout";
  amount: number;
  arrival_date: number;
  automatic: true;
  currency: "usd";
  description: string;
  destination: string;
  method: "standard";
  source_type: "card";
  status: "paid";
  type: "bank_account";
}
