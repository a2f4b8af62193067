import { z } from "zod";
import { day, month } from "../dates.ts";
import { eventsOf, personal } from "../event.ts";
import { centsInteger, e4, usd } from "../money.ts";
import { EarningType } from "./earnings.ts";

const event = eventsOf("billing");

/** How a creator is paid: by a destination charge of their own, or out of the brand's one platform charge. */
export const Rail = z.enum(["stripe", "paypal", "venmo", "none"]);
export type Rail = z.infer<typeof Rail>;

/** Why nothing of a statement was charged (scenario rules, 7). */
export const CarriedReason = z.enum(["negative", "no_payout_method", "no_payment_method", "below_minimum"]);
export type CarriedReason = z.infer<typeof CarriedReason>;

/** Which methods are charged so much more that the processing fee is covered. */
export const GrossUp = z.enum(["card", "all", "none"]);
export type GrossUp = z.infer<typeof GrossUp>;

/** What a booked amount counts as in its month: `adjustment` when the month is another than its date's own. */
export const BookedAs = z.enum(["commission", "referral", "adjustment"]);
export type BookedAs = z.infer<typeof BookedAs>;

const cycle = { cycle_id: z.string(), month };

/** A month takes amounts from now on, until its CycleClosed. */
export const CycleOpened = event(
  "CycleOpened",
  z.object({ ...cycle, period_start: day, period_end: day, currency: z.literal("USD") }),
);

/** The month is over and its statements are provisional; it still takes amounts. */
export const CycleClosing = event("CycleClosing", z.object(cycle));

/** The fence: no amount enters the month after it. Names the rules its statements are totalled by. */
export const CycleClosed = event(
  "CycleClosed",
  z.object({
    ...cycle,
    closed_on: day,
    min_payout: usd,
    gross_up: GrossUp,
    /** Brands whose reports were not known to be complete when the month closed, and why. */
    incomplete: z.array(z.object({ brand_id: z.string(), reason: z.string() })),
  }),
);

/** Every statement of the month has been issued. */
export const CycleTotalled = event("CycleTotalled", z.object({ ...cycle, statements: z.int() }));

/** Every charge of the month has been requested. */
export const CycleCharged = event("CycleCharged", z.object({ ...cycle, platform_charges: z.int() }));

const statement = { statement_id: z.string(), ...cycle, brand_id: z.string(), creator_id: z.string() };

/** One revision of an earning counts in this month, once for ever. */
export const EarningBooked = event(
  "EarningBooked",
  z.object({
    ...statement,
    earning_id: z.string(),
    /** 1 for the accrual, then one more per adjustment. */
    entry: z.int(),
    /** The metric's revision it was worked out from. */
    revision: z.int(),
    earning_type: EarningType,
    booked_as: BookedAs,
    amount: e4,
    date: day,
    link_id: z.string(),
    product_id: z.string(),
    metric_id: z.string(),
    referred_creator_id: z.string().nullable(),
    commission_rate: z.int(),
  }),
);

/** The claim that keeps a revision from being booked twice, on a stream of the earning's own. */
export const RevisionBooked = event(
  "RevisionBooked",
  z.object({ earning_id: z.string(), entry: z.int(), revision: z.int(), month }),
);

/** What the month before left, of whatever sign and size. */
export const CarriedIn = event(
  "CarriedIn",
  z.object({
    ...statement,
    from_month: month,
    from_statement_id: z.string(),
    amount: e4,
    /** How many months in a row, up to the one before, were carried for being below the minimum. */
    months_below_minimum: z.int(),
  }),
);

/** What the brand owes the creator for the month, rounded once: the line both of them see. */
export const StatementIssued = event(
  "StatementIssued",
  z.object({
    ...statement,
    commission: e4,
    referral: e4,
    adjustments: e4,
    carried_in: e4,
    net: e4,
    rounding: e4,
    charged: usd,
    carried_out: e4,
    carried_reason: CarriedReason.nullable(),
    minimum_waived: z.boolean(),
    months_below_minimum: z.int(),
    /** The payout setting at the moment of the close. */
    rail: Rail,
    /** The charge that pays it; null where nothing is charged. */
    charge_id: z.string().nullable(),
  }),
);

const charge = {
  charge_id: z.string(),
  ...cycle,
  brand_id: z.string(),
  /** Null for the platform charge, which pays several creators. */
  creator_id: z.string().nullable(),
};

/** What of a charge is for whom. */
export const ChargeShare = z.object({
  statement_id: z.string(),
  creator_id: z.string(),
  rail: Rail,
  net_cents: centsInteger,
  payout_fee_cents: centsInteger,
});
export type ChargeShare = z.infer<typeof ChargeShare>;

/** The brand is to pay: by destination charge to one creator, or to the platform for all that PayPal pays. */
export const ChargeRequested = event(
  "ChargeRequested",
  z.object({
    ...charge,
    kind: z.enum(["creator", "platform"]),
    /** The day of the close: day 0 of the attempts. */
    closed_on: day,
    /** What must arrive after the processing fee: the shares and their payout fees. */
    amount: usd,
    amount_grossed_cents: centsInteger,
    application_fee_amount_cents: centsInteger,
    currency: z.literal("USD"),
    breakdown: z.array(ChargeShare),
    pm_type: z.enum(["card", "us_bank_account"]),
    destination_account_id: z.string().nullable(),
    on_behalf_of_account_id: z.string().nullable(),
    statement_descriptor: z.string().nullable(),
    statement_descriptor_suffix: z.string().nullable(),
  }),
);

/** The n-th attempt is to be made now; n rises only after the one before it has failed for good. */
export const ChargeAttemptStarted = event(
  "ChargeAttemptStarted",
  z.object({
    ...charge,
    attempt: z.int(),
    idempotency_key: z.string(),
    /** The brand's method at that moment; null when there is none, and the attempt fails. */
    stripe_customer_id: z.string().nullable(),
    stripe_payment_method_id: z.string().nullable(),
    mandate_id: z.string().nullable(),
    /** What kind of method it is, which may be another than the one the amount was worked out for. */
    pm_type: z.enum(["card", "us_bank_account"]).nullable().default(null),
  }),
);

/** The brand wants a failed or past-due charge tried again at once; the attempts of the schedule stay as many as they are. */
export const ChargeRetryRequested = event(
  "ChargeRetryRequested",
  z.object({
    ...charge,
    /** The attempt that follows from it. */
    attempt: z.int(),
    /** The method the brand named; null for its default. */
    payment_method_id: z.string().nullable(),
  }),
);

/** The partner has taken the attempt and will answer later (a bank debit). */
export const ChargeProcessing = event(
  "ChargeProcessing",
  z.object({ ...charge, attempt: z.int(), stripe_payment_intent_id: z.string() }),
);

/** The bank wants to hear from the card holder: nothing is charged until they have agreed on its page. */
export const ChargeActionRequired = event(
  "ChargeActionRequired",
  z.object({
    ...charge,
    attempt: z.int(),
    stripe_payment_intent_id: z.string(),
    /** Until then the attempt waits (ISO 8601); after that it is called off and has failed. */
    until: z.string(),
  }),
);

/** The brand has paid. */
export const ChargeSucceeded = event(
  "ChargeSucceeded",
  z.object({
    ...charge,
    kind: z.enum(["creator", "platform"]),
    attempt: z.int(),
    amount: usd,
    amount_grossed_cents: centsInteger,
    /** What the card network or the bank really took. */
    fee_cents: centsInteger,
    breakdown: z.array(ChargeShare),
    stripe_payment_intent_id: z.string(),
    stripe_charge_id: z.string().nullable(),
    /** The transfer to the creator's account, of a destination charge. */
    stripe_transfer_id: z.string().nullable(),
  }),
);

/** An attempt was declined or sent back. */
export const ChargeFailed = event(
  "ChargeFailed",
  z.object({
    ...charge,
    attempt: z.int(),
    stripe_payment_intent_id: z.string().nullable(),
    code: z.string(),
    message: z.string(),
    /** When the next attempt is due (ISO 8601); null when there is none. */
    next_attempt_at: z.string().nullable(),
  }),
);

/** The last attempt has failed: the amount stays owed and is not tried again. */
export const ChargePastDue = event("ChargePastDue", z.object({ ...charge, attempts: z.int() }));

/** Money of a paid charge has gone back to the brand. */
export const ChargeRefunded = event(
  "ChargeRefunded",
  z.object({
    ...charge,
    /** This time; below zero when a refund came back. */
    refunded_cents: centsInteger,
    refunded_total_cents: centsInteger,
    /** What the brand owes again for its creators, of this refund. */
    owed_again_cents: centsInteger,
    full: z.boolean(),
  }),
);

/** A destination charge's creator had to give back some of it; fraud or an exit, for paid creators keep their money. */
export const ChargeTransferReversed = event(
  "ChargeTransferReversed",
  z.object({
    ...charge,
    reversed_cents: centsInteger,
    /** What of the platform's application fee went back to the creator with it. */
    fee_returned_cents: centsInteger,
  }),
);

/** Where the brand's bank stands on a payment that the brand has contested. */
export const DisputeStatus = z.enum(["open", "won", "lost"]);

/** The brand's bank has taken a paid charge back, has decided about it, or has returned it. */
export const ChargeDisputed = event(
  "ChargeDisputed",
  z.object({
    ...charge,
    stripe_dispute_id: z.string(),
    status: DisputeStatus,
    reason: z.string(),
    /** Taken this time; below zero when it came back. */
    withdrawn_cents: centsInteger,
    /** What the partner took for the dispute this time. */
    fee_cents: centsInteger,
    /** What the brand owes again for its creators; below zero when it came back. */
    owed_again_cents: centsInteger,
  }),
);

/** The platform gives up what the brand owes of a charge, at its own cost. */
export const ChargeWrittenOff = event(
  "ChargeWrittenOff",
  z.object({ ...charge, owed_cents: centsInteger, reason: z.string() }),
);

const payout = {
  payout_id: z.string(),
  ...cycle,
  brand_id: z.string(),
  creator_id: z.string(),
  charge_id: z.string(),
  statement_id: z.string(),
  rail: Rail,
  amount_cents: centsInteger,
};

/** The brand has paid what a creator gets by PayPal or Venmo. */
export const PayoutQueued = event(
  "PayoutQueued",
  z.object({
    ...payout,
    attempt: z.int(),
    currency: z.literal("USD"),
    paypal_receiver: personal(z.string(), "creator_id"),
    /** An estimate until the partner says what it took. */
    fee_cents: centsInteger,
    /** The partner's batch of the same name is the same payout. */
    idempotency_key: z.string(),
  }),
);

/** The partner has taken the payout and will say what became of it. */
export const PayoutSubmitted = event(
  "PayoutSubmitted",
  z.object({ ...payout, attempt: z.int(), paypal_payout_batch_id: z.string() }),
);

/** The money has reached the creator: by PayPal or Venmo, or as the transfer of a destination charge. */
export const PayoutSucceeded = event(
  "PayoutSucceeded",
  z.object({
    ...payout,
    fee_cents: centsInteger,
    paypal_payout_item_id: z.string().nullable(),
    stripe_transfer_id: z.string().nullable(),
  }),
);

/** Nobody has claimed it yet; after 30 days it comes back. */
export const PayoutUnclaimed = event(
  "PayoutUnclaimed",
  z.object({ ...payout, fee_cents: centsInteger, paypal_payout_item_id: z.string(), reason: z.string() }),
);

/** PayPal keeps it for the time being: `on_hold` while it reviews it, `blocked` when it will not pay this receiver. */
export const PayoutHeld = event(
  "PayoutHeld",
  z.object({
    ...payout,
    status: z.enum(["on_hold", "blocked"]),
    paypal_payout_item_id: z.string(),
    reason: z.string(),
  }),
);

/** How a payout came back: nobody claimed it, the creator sent it back, or PayPal took it back. */
export const ReturnedAs = z.enum(["returned", "refunded", "reversed"]);

/** The partner will not pay it; nothing has left. */
export const PayoutFailed = event(
  "PayoutFailed",
  z.object({ ...payout, failure_reason: z.string(), paypal_payout_item_id: z.string().nullable() }),
);

/** It came back after it had been paid or had lain unclaimed. */
export const PayoutReturned = event(
  "PayoutReturned",
  z.object({
    ...payout,
    /** True when it had been told as paid before, so that the books must take it back. */
    was_paid: z.boolean(),
    as: ReturnedAs.default("returned"),
    failure_reason: z.string(),
    paypal_payout_item_id: z.string(),
  }),
);

const method = { brand_id: z.string(), payment_method_id: z.string() };

/** The brand is known to the card network's partner. */
export const PaymentCustomerOpened = event(
  "PaymentCustomerOpened",
  z.object({ brand_id: z.string(), stripe_customer_id: z.string() }),
);

/** Heard a second time for the same method, it has been set up anew and what was known of it is replaced. */
export const PaymentMethodAdded = event(
  "PaymentMethodAdded",
  z.object({
    ...method,
    stripe_customer_id: z.string(),
    stripe_payment_method_id: z.string(),
    pm_type: z.enum(["card", "us_bank_account"]),
    /** The card's network or the bank. */
    bank_name: z.string().nullable(),
    bank_last4: z.string().nullable(),
    ach_fingerprint: z.string().nullable(),
    verification_status: z.enum(["requires_verification", "pending", "verified", "failed"]),
    verification_method: z.string().nullable(),
    setup_intent_id: z.string().nullable(),
    mandate_id: z.string().nullable(),
    currency: z.literal("USD"),
  }),
);

/** The bank account may be debited. */
export const PaymentMethodVerified = event(
  "PaymentMethodVerified",
  z.object({ ...method, mandate_id: z.string().nullable() }),
);

export const PaymentMethodVerificationFailed = event(
  "PaymentMethodVerificationFailed",
  z.object({ ...method, reason: z.string() }),
);

/** It can't be charged any more: the bank has said so, or the agreement to debit it has ended. Set up anew, it can. */
export const PaymentMethodBlocked = event(
  "PaymentMethodBlocked",
  z.object({ ...method, reason: z.string(), network_code: z.string().nullable() }),
);

/** Closes after this are charged to it. */
export const PaymentMethodDefaultSet = event("PaymentMethodDefaultSet", z.object(method));

/** From the second attempt on this one is charged instead of the default; at most one of each type. */
export const PaymentMethodBackupSet = event(
  "PaymentMethodBackupSet",
  z.object({ ...method, pm_type: z.enum(["card", "us_bank_account"]), is_default_for_type: z.boolean() }),
);

export const PaymentMethodRemoved = event("PaymentMethodRemoved", z.object(method));

/** Where the creator wants to be paid from the next close on. */
export const PayoutDestinationSet = event(
  "PayoutDestinationSet",
  z.object({
    creator_id: z.string(),
    preferred_method: Rail,
    paypal_email: personal(z.string().nullable(), "creator_id"),
    venmo_handle: personal(z.string().nullable(), "creator_id"),
  }),
);

/** The creator has an account with the partner, not yet able to take money. */
export const PayoutAccountOpened = event(
  "PayoutAccountOpened",
  z.object({ creator_id: z.string(), stripe_account_id: z.string() }),
);

/** What the partner says of the creator's account now. */
export const PayoutAccountUpdated = event(
  "PayoutAccountUpdated",
  z.object({
    creator_id: z.string(),
    stripe_account_id: z.string(),
    onboarding_status: z.enum(["not_started", "incomplete", "pending", "restricted", "complete"]),
    payouts_enabled: z.boolean(),
    currently_due: z.array(z.string()),
  }),
);

/** A webhook of the card network's partner, its signature verified; it names an object to look at and is believed no further. */
export const StripeEventReceived = event(
  "StripeEventReceived",
  z.object({
    stripe_event_id: z.string(),
    environment: z.enum(["live", "test"]),
    event_type: z.string(),
    object_id: z.string(),
    account: z.string().nullable(),
  }),
);

/** Stripe has been asked for everything it told until now: `through` is the day it was asked on, which is asked about again. */
export const StripeEventsSwept = event(
  "StripeEventsSwept",
  z.object({
    through: day,
    /** How many it had told that no webhook had brought. */
    missed: z.int(),
  }),
);

/** A webhook of PayPal, its signature verified; it names an object to look at and is believed no further. */
export const PaypalEventReceived = event(
  "PaypalEventReceived",
  z.object({
    paypal_event_id: z.string(),
    event_type: z.string(),
    payout_item_id: z.string().nullable(),
    payout_batch_id: z.string().nullable(),
  }),
);

/** The webhook has been acted upon, or there was nothing to do. */
export const WebhookProcessed = event(
  "WebhookProcessed",
  z.object({ event_id: z.string(), outcome: z.enum(["settled", "nothing_new", "not_ours"]) }),
);
