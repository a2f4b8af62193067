import { z } from "zod";
import { day, month } from "../dates.ts";
import { BookedAs, CarriedReason, DisputeStatus, Rail } from "../events/billing.ts";
import { EarningType } from "../events/earnings.ts";

/** Decimal text, two digits for what is charged and paid, four for what is earned. */
const amount = z.string();

/** `charging`: a charge is under way, waits for the brand, or is to be tried again. `partially_settled`: none is, and one or more are past due. */
export const CycleStatus = z.enum(["open", "closing", "closed", "charging", "settled", "partially_settled"]);
export type CycleStatus = z.infer<typeof CycleStatus>;

export const ChargeStatus = z.enum([
  "processing",
  "requires_action",
  "failed",
  "succeeded",
  "past_due",
  "refunded",
  "disputed",
  "written_off",
]);
export type ChargeStatus = z.infer<typeof ChargeStatus>;

/** What one brand owes one creator for one month; provisional until it is issued. */
export const StatementLine = z.object({
  statement_id: z.string(),
  cycle_id: z.string(),
  month,
  brand_id: z.string(),
  creator_id: z.string(),
  commission: amount,
  referral: amount,
  adjustments: amount,
  carried_in: amount,
  net: amount,
  rounding: amount,
  charged: amount,
  carried_out: amount,
  carried_reason: CarriedReason.nullable(),
  issued: z.boolean(),
  rail: Rail.nullable(),
  charge_id: z.string().nullable(),
  charge_status: ChargeStatus.nullable(),
  /** What the creator's own destination charge asks of the brand; null where there is none. */
  gross: amount.nullable(),
  paid: amount,
});
export type StatementLine = z.infer<typeof StatementLine>;

/** A charge of the brand with the story of its attempts. */
export const ChargeView = z.object({
  charge_id: z.string(),
  cycle_id: z.string(),
  month,
  brand_id: z.string(),
  creator_id: z.string().nullable(),
  kind: z.enum(["creator", "platform"]),
  amount,
  amount_grossed_cents: z.int(),
  application_fee_amount_cents: z.int(),
  fee_cents: z.int().nullable(),
  /** What has gone back to the brand. */
  refunded_cents: z.int(),
  dispute: z.object({ status: DisputeStatus, reason: z.string(), withdrawn_cents: z.int() }).nullable(),
  currency: z.string(),
  pm_type: z.string(),
  status: ChargeStatus,
  next_attempt_at: z.string().nullable(),
  /** While the bank asks for the card holder: POST here answers with the page where they agree. */
  action_url: z.string().nullable(),
  attempts: z.array(
    z.object({
      attempt: z.int(),
      started_at: z.string(),
      outcome: z.enum(["under_way", "requires_action", "succeeded", "failed"]),
      code: z.string().nullable(),
      message: z.string().nullable(),
      stripe_payment_intent_id: z.string().nullable(),
    }),
  ),
  breakdown: z.array(
    z.object({
      statement_id: z.string(),
      creator_id: z.string(),
      rail: Rail,
      net_cents: z.int(),
      payout_fee_cents: z.int(),
    }),
  ),
});
export type ChargeView = z.infer<typeof ChargeView>;

/** One month of a brand. */
export const CycleSummary = z.object({
  cycle_id: z.string(),
  month,
  period_start: day,
  period_end: day,
  status: CycleStatus,
  commission: amount,
  referral: amount,
  adjustments: amount,
  carried_in: amount,
  carried_out: amount,
  rounding: amount,
  charged: amount,
  /** What processing and payouts cost the brand on top. */
  fees: amount,
  gross: amount,
  creators: z.int(),
  creators_paid: z.int(),
});
export type CycleSummary = z.infer<typeof CycleSummary>;

export const CycleList = z.object({ items: z.array(CycleSummary) });

export const CycleDetail = CycleSummary.extend({
  statements: z.array(StatementLine),
  charges: z.array(ChargeView),
});
export type CycleDetail = z.infer<typeof CycleDetail>;

/** How far an earning has come on its way to the creator. */
export const EarningState = z.enum(["pending", "carried", "charging", "paid"]);
export type EarningState = z.infer<typeof EarningState>;

/** One booked revision of an earning. */
export const EarningEntry = z.object({
  earning_id: z.string(),
  entry: z.int(),
  earning_type: EarningType,
  booked_as: BookedAs,
  amount,
  date: day,
  month,
  brand_id: z.string(),
  creator_id: z.string(),
  link_id: z.string(),
  product_id: z.string(),
  commission_rate: z.int(),
  referred_creator_id: z.string().nullable(),
  statement_id: z.string(),
});
export type EarningEntry = z.infer<typeof EarningEntry>;

export const Earnings = z.object({
  totals: z.object({ pending: amount, carried: amount, charging: amount, paid: amount, referral: amount }),
  items: z.array(EarningEntry.extend({ state: EarningState })),
  next: z.string().nullable(),
});
export type Earnings = z.infer<typeof Earnings>;

export const PayoutView = z.object({
  payout_id: z.string(),
  cycle_id: z.string(),
  month,
  brand_id: z.string(),
  creator_id: z.string(),
  charge_id: z.string(),
  statement_id: z.string(),
  rail: Rail,
  amount,
  fee_cents: z.int(),
  /** What the fee was expected to be before the partner took it. */
  fee_expected_cents: z.int(),
  status: z.enum([
    "queued",
    "submitted",
    "unclaimed",
    "on_hold",
    "blocked",
    "succeeded",
    "failed",
    "returned",
    "refunded",
    "reversed",
  ]),
  /** What it waits for and, where that has an end, until when (ISO 8601); null when it has arrived. */
  waiting: z
    .object({
      on: z.enum(["us", "paypal", "creator"]),
      cause: z.string(),
      until: z.string().nullable(),
      /** Whether the creator can have it sent again now, to the address they have set. */
      can_resend: z.boolean(),
    })
    .nullable(),
  /** How the attempts before this one ended, the first one first. */
  earlier: z.array(
    z.object({
      status: z.string(),
      failure_reason: z.string().nullable(),
      paypal_payout_item_id: z.string().nullable(),
    }),
  ),
  failure_reason: z.string().nullable(),
  paypal_payout_batch_id: z.string().nullable(),
  paypal_payout_item_id: z.string().nullable(),
  stripe_transfer_id: z.string().nullable(),
  paid_at: z.string().nullable(),
});
export type PayoutView = z.infer<typeof PayoutView>;

export const PayoutList = z.object({ items: z.array(PayoutView), next: z.string().nullable() });

export const PaymentMethodView = z.object({
  payment_method_id: z.string(),
  stripe_payment_method_id: z.string(),
  pm_type: z.enum(["card", "us_bank_account"]),
  bank_name: z.string().nullable(),
  bank_last4: z.string().nullable(),
  verification_status: z.enum(["requires_verification", "pending", "verified", "failed"]),
  verification_method: z.string().nullable(),
  /** Why it can't be charged, in the words of the bank's or Stripe's code; null when it can or has only not been verified yet. */
  reason: z.string().nullable(),
  is_default: z.boolean(),
  /** The backup: charged from the second attempt on when it is not the default itself. */
  is_default_for_type: z.boolean(),
  currency: z.string(),
});
export type PaymentMethodView = z.infer<typeof PaymentMethodView>;

export const PaymentMethodList = z.object({ items: z.array(PaymentMethodView) });

/** What a browser needs to collect a card or a bank account. */
export const SetupIntent = z.object({ setup_intent_id: z.string(), client_secret: z.string() });

/** Makes a method the default, or the backup of its type (or no longer). */
export const ChangePaymentMethod = z.strictObject({
  is_default: z.literal(true).optional(),
  is_default_for_type: z.boolean().optional(),
});

/** Why what a brand owes is given up. */
export const WriteOffCharge = z.strictObject({ reason: z.string().min(1).max(500) });

/** The method the retry is made with; the default when none is named. */
export const RetryCharge = z.strictObject({ payment_method_id: z.string().min(1).max(64).optional() });

/** The bank's page where the card holder agrees; null when the attempt went on without it. */
export const ChargeAction = z.object({ url: z.string().nullable(), status: ChargeStatus });

/** `stripe_payment_method_id` is what the browser got for the card or bank account it collected. */
export const AddPaymentMethod = z.strictObject({ stripe_payment_method_id: z.string().min(1).max(255) });

/** Either the two small deposits in cents, or the code beside a single one. */
export const VerifyPaymentMethod = z.union([
  z.strictObject({ amounts: z.array(z.int().min(1).max(99)).length(2) }),
  z.strictObject({ descriptor_code: z.string().regex(/^SM[0-9A-Za-z]{4}$/, "looks like SM11AA") }),
]);

export const PayoutDestinationView = z.object({
  creator_id: z.string(),
  preferred_method: Rail,
  paypal_email: z.string().nullable(),
  venmo_handle: z.string().nullable(),
  stripe_account_id: z.string().nullable(),
  onboarding_status: z.string(),
  payouts_enabled: z.boolean(),
  currently_due: z.array(z.string()),
});
export type PayoutDestinationView = z.infer<typeof PayoutDestinationView>;

/** Where the creator wants to be paid; an address already known may be left out. */
export const SetPayoutDestination = z.strictObject({
  preferred_method: Rail,
  paypal_email: z.email("must be an e-mail address").max(127).optional(),
  venmo_handle: z
    .string()
    .regex(/^@?[A-Za-z0-9_-]{5,30}$/, "must be a Venmo name of 5 to 30 letters, digits, - or _")
    .optional(),
});
export type SetPayoutDestination = z.infer<typeof SetPayoutDestination>;

/** Where the creator tells Stripe who they are; null when there is nothing left to tell. */
export const Onboarding = z.object({ url: z.string().nullable(), onboarding_status: z.string() });

/** Every figure of the money loop, for whoever reckons it a second time (scenario rules, Result); ids where that says keys. */
export const BillingResult = z.object({
  cycles: z.array(z.object({ month, status: CycleStatus, lines: z.array(StatementLine) })),
  platform_charges: z.array(
    z.object({
      month,
      brand_id: z.string(),
      charge_id: z.string(),
      net: amount,
      gross: amount,
      status: ChargeStatus,
    }),
  ),
  open: z.array(StatementLine),
});
export type BillingResult = z.infer<typeof BillingResult>;

/** Per statement what was earned and what became of it, and our own books beside it. */
export const Reconciliation = z.object({
  rows: z.array(
    z.object({
      month,
      brand_id: z.string(),
      creator_id: z.string(),
      earned: amount,
      adjusted: amount,
      carried_in: amount,
      rounded: amount,
      carried_out: amount,
      charged: amount,
      paid: amount,
      fees: amount,
    }),
  ),
  charges: z.array(
    z.object({
      charge_id: z.string(),
      month,
      brand_id: z.string(),
      creator_id: z.string().nullable(),
      stripe_payment_intent_id: z.string().nullable(),
      stripe_transfer_id: z.string().nullable(),
      status: ChargeStatus,
      gross: amount,
      fee: amount.nullable(),
      /** What the fee was expected to be, and by how much more was really taken; null until it was. */
      fee_expected: amount,
      fee_difference: amount.nullable(),
    }),
  ),
  /** Of all that has been taken: what was expected, what was taken, and the difference. */
  fees: z.object({
    processing: z.object({ expected: amount, taken: amount, difference: amount }),
    payouts: z.object({ expected: amount, taken: amount, difference: amount }),
  }),
  payouts: z.array(PayoutView),
  /** Balances of our own books, in dollars with four digits; they add up to nothing. */
  ledger: z.record(z.string(), amount),
  /** What the balances add up to: "0.0000". */
  ledger_sum: amount,
  /** Amounts earned, less what was charged and is still carried or open: "0.0000" when nothing was made or lost. */
  difference: amount,
});
export type Reconciliation = z.infer<typeof Reconciliation>;
