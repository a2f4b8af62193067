import { day, month } from "@tributary/contracts/dates";
import {
  ChargeActionRequired,
  ChargeAttemptStarted,
  ChargeDisputed,
  ChargeFailed,
  ChargePastDue,
  ChargeProcessing,
  ChargeRefunded,
  ChargeRequested,
  ChargeShare,
  ChargeSucceeded,
  ChargeTransferReversed,
  ChargeWrittenOff,
  DisputeStatus,
} from "@tributary/contracts/events/billing";
import { ChargeStatus, ChargeView } from "@tributary/contracts/http/billing";
import { asCents, centsInteger, formatCents, NO_CENTS, storedCents } from "@tributary/contracts/money";
import { readModel } from "@tributary/runtime/read-models/read-model";
import { when } from "@tributary/runtime/stream";
import { z } from "zod";
import { Recorded, recordedBy } from "./recorded.ts";

const Charge = z.object({
  charge_id: z.string(),
  cycle_id: z.string(),
  month,
  brand_id: z.string(),
  creator_id: z.string().nullable(),
  kind: z.enum(["creator", "platform"]),
  closed_on: day,
  amount: storedCents,
  amount_grossed_cents: storedCents,
  application_fee_amount_cents: storedCents,
  fee_cents: storedCents.nullable(),
  currency: z.string(),
  /** Of the latest attempt. */
  pm_type: z.enum(["card", "us_bank_account"]),
  status: ChargeStatus,
  next_attempt_at: z.string().nullable(),
  attempts: ChargeView.shape.attempts,
  breakdown: z.array(ChargeShare),
  stripe_payment_intent_id: z.string().nullable(),
  stripe_transfer_id: z.string().nullable(),
  refunded_cents: storedCents,
  /** What the creator of a destination charge had to give back. */
  given_back_cents: storedCents,
  dispute: z.object({ status: DisputeStatus, reason: z.string(), withdrawn_cents: storedCents }).nullable(),
  recorded: Recorded,
});
export type ChargeDocument = z.infer<typeof Charge>;
type Attempt = ChargeDocument["attempts"][number];

const last = (of: ChargeDocument, change: Partial<Attempt>): Attempt[] =>
  of.attempts.map((attempt, at) => (at === of.attempts.length - 1 ? { ...attempt, ...change } : attempt));

/** Every charge of a brand and the story of its attempts. */
export const charges = readModel("charges", Charge, {
  on: [
    when(ChargeRequested, (_, event) => {
      const { on_behalf_of_account_id, destination_account_id, ...data } = event.data;
      const { statement_descriptor, statement_descriptor_suffix, ...charge } = data;
      return {
        ...charge,
        fee_cents: null,
        ...{ refunded_cents: NO_CENTS, given_back_cents: NO_CENTS, dispute: null },
        status: "processing",
        next_attempt_at: null,
        attempts: [],
        stripe_payment_intent_id: null,
        stripe_transfer_id: null,
        recorded: recordedBy(event),
      };
    }),
    when(
      ChargeAttemptStarted,
      (charge, { data: { attempt, pm_type }, time }) =>
        charge && {
          ...charge,
          status: "processing",
          pm_type: pm_type ?? charge.pm_type,
          next_attempt_at: null,
          attempts: [
            ...charge.attempts,
            {
              ...{ attempt, started_at: time, outcome: "under_way" },
              ...{ code: null, message: null, stripe_payment_intent_id: null },
            },
          ],
        },
    ),
    when(
      ChargeProcessing,
      (charge, { data: { stripe_payment_intent_id } }) =>
        charge && {
          ...charge,
          stripe_payment_intent_id,
          attempts: last(charge, { stripe_payment_intent_id }),
        },
    ),
    when(
      ChargeActionRequired,
      (charge, { data: { stripe_payment_intent_id, until } }) =>
        charge && {
          ...charge,
          ...{ status: "requires_action", stripe_payment_intent_id, next_attempt_at: until },
          attempts: last(charge, { outcome: "requires_action", stripe_payment_intent_id }),
        },
    ),
    when(ChargeSucceeded, (charge, event) => {
      const { fee_cents, stripe_payment_intent_id, stripe_transfer_id } = event.data;
      return (
        charge && {
          ...charge,
          ...{
            status: "succeeded",
            fee_cents,
            stripe_payment_intent_id,
            stripe_transfer_id,
            next_attempt_at: null,
          },
          attempts: last(charge, { outcome: "succeeded", stripe_payment_intent_id }),
          recorded: recordedBy(event),
        }
      );
    }),
    when(
      ChargeFailed,
      (charge, { data: { code, message, next_attempt_at, stripe_payment_intent_id } }) =>
        charge && {
          ...charge,
          ...{ status: "failed", next_attempt_at },
          attempts: last(charge, { outcome: "failed", code, message, stripe_payment_intent_id }),
        },
    ),
    when(
      ChargeRefunded,
      (charge, { data: { refunded_total_cents, full } }) =>
        charge && {
          ...charge,
          refunded_cents: refunded_total_cents,
          status: full ? "refunded" : charge.status,
        },
    ),
    when(
      ChargeTransferReversed,
      (charge, { data: { reversed_cents, fee_returned_cents } }) =>
        charge && {
          ...charge,
          given_back_cents: asCents(charge.given_back_cents + reversed_cents - fee_returned_cents),
        },
    ),
    when(
      ChargeDisputed,
      (charge, { data: { status, reason, withdrawn_cents } }) =>
        charge && {
          ...charge,
          status: status === "won" ? "succeeded" : "disputed",
          dispute: {
            ...{ status, reason },
            withdrawn_cents: asCents((charge.dispute?.withdrawn_cents ?? 0n) + withdrawn_cents),
          },
        },
    ),
    when(ChargeWrittenOff, (charge) => charge && { ...charge, status: "written_off" }),
    when(ChargePastDue, (charge) => charge && { ...charge, status: "past_due" }),
  ],
  key: ({ data: { charge_id } }) => charge_id,
  indexes: [["brand_id", "month"], ["creator_id", "month"], ["month"]],
});

/** The charge as the brand sees it. */
export function chargeView(of: ChargeDocument): ChargeView {
  const { closed_on, stripe_payment_intent_id, stripe_transfer_id, given_back_cents, recorded, ...charge } =
    of;
  const whole = (amount: ChargeDocument["amount"]) => z.encode(centsInteger, amount);
  const action_url =
    charge.status === "requires_action" ? `/api/billing/charges/${charge.charge_id}/authenticate` : null;
  return ChargeView.parse({
    ...charge,
    action_url,
    refunded_cents: whole(charge.refunded_cents),
    dispute: charge.dispute && {
      ...charge.dispute,
      withdrawn_cents: whole(charge.dispute.withdrawn_cents),
    },
    amount: formatCents(charge.amount),
    amount_grossed_cents: whole(charge.amount_grossed_cents),
    application_fee_amount_cents: whole(charge.application_fee_amount_cents),
    fee_cents: charge.fee_cents === null ? null : whole(charge.fee_cents),
    breakdown: charge.breakdown.map((share) => z.encode(ChargeShare, share)),
  });
}
