import { month } from "@tributary/contracts/dates";
import {
  PayoutFailed,
  PayoutHeld,
  PayoutQueued,
  PayoutReturned,
  PayoutSubmitted,
  PayoutSucceeded,
  PayoutUnclaimed,
  Rail,
} from "@tributary/contracts/events/billing";
import { PayoutView } from "@tributary/contracts/http/billing";
import { centsInteger, formatCents, storedCents } from "@tributary/contracts/money";
import { readModel, show } from "@tributary/runtime/read-models/read-model";
import { when } from "@tributary/runtime/stream";
import { z } from "zod";
import { waitingOf } from "../waiting.ts";
import { Recorded, recordedBy } from "./recorded.ts";

const Payout = z.object({
  payout_id: z.string(),
  cycle_id: z.string(),
  month,
  brand_id: z.string(),
  creator_id: z.string(),
  charge_id: z.string(),
  statement_id: z.string(),
  rail: Rail,
  amount_cents: storedCents,
  fee_cents: storedCents,
  /** Before the partner said what it took. */
  fee_expected_cents: storedCents,
  status: PayoutView.shape.status,
  failure_reason: z.string().nullable(),
  paypal_payout_batch_id: z.string().nullable(),
  paypal_payout_item_id: z.string().nullable(),
  stripe_transfer_id: z.string().nullable(),
  paid_at: z.string().nullable(),
  /** When it came to its status. */
  since: z.string(),
  earlier: PayoutView.shape.earlier,
  recorded: Recorded,
});
export type PayoutDocument = z.infer<typeof Payout>;

const begun = {
  failure_reason: null,
  paypal_payout_batch_id: null,
  paypal_payout_item_id: null,
  stripe_transfer_id: null,
  paid_at: null,
};

const ended = ({ status, failure_reason, paypal_payout_item_id }: PayoutDocument) => ({
  ...{ status, failure_reason, paypal_payout_item_id },
});

/** The payout as its creator sees it. */
export function payoutView(of: PayoutDocument): PayoutView {
  const { amount_cents, fee_cents, fee_expected_cents, recorded, since, ...payout } = of;
  return {
    ...payout,
    waiting: waitingOf(of),
    amount: formatCents(amount_cents),
    fee_cents: z.encode(centsInteger, fee_cents),
    fee_expected_cents: z.encode(centsInteger, fee_expected_cents),
  };
}

/** What creators were paid, by whichever rail, and what is on its way. */
export const payouts = readModel("payouts", Payout, {
  on: [
    when(PayoutQueued, (before, event) => {
      const { attempt, currency, paypal_receiver, idempotency_key, ...payout } = event.data;
      const earlier = [...(before?.earlier ?? []), ...(before ? [ended(before)] : [])];
      return {
        ...payout,
        ...begun,
        fee_expected_cents: payout.fee_cents,
        earlier,
        status: "queued",
        since: event.time,
        recorded: recordedBy(event),
      };
    }),
    when(
      PayoutSubmitted,
      (payout, { data: { paypal_payout_batch_id }, time }) =>
        payout && { ...payout, status: "submitted", since: time, paypal_payout_batch_id },
    ),
    when(
      PayoutUnclaimed,
      (payout, { data: { fee_cents, paypal_payout_item_id, reason }, time }) =>
        payout && {
          ...payout,
          status: "unclaimed",
          since: time,
          fee_cents,
          paypal_payout_item_id,
          failure_reason: reason,
        },
    ),
    when(
      PayoutHeld,
      (payout, { data: { status, paypal_payout_item_id, reason }, time }) =>
        payout && { ...payout, status, since: time, paypal_payout_item_id, failure_reason: reason },
    ),
    when(PayoutSucceeded, (payout, event) => ({
      ...begun,
      earlier: [],
      fee_expected_cents: event.data.fee_cents,
      ...payout,
      ...event.data,
      status: "succeeded",
      since: event.time,
      failure_reason: null,
      paid_at: event.time,
      recorded: recordedBy(event),
    })),
    when(
      PayoutFailed,
      (payout, { data: { failure_reason, paypal_payout_item_id }, time }) =>
        payout && { ...payout, status: "failed", since: time, failure_reason, paypal_payout_item_id },
    ),
    when(
      PayoutReturned,
      (payout, { data: { as, failure_reason, paypal_payout_item_id }, time }) =>
        payout && {
          ...payout,
          ...{ status: as, since: time, failure_reason, paypal_payout_item_id, paid_at: null },
        },
    ),
  ],
  key: ({ data: { payout_id } }) => payout_id,
  indexes: [["creator_id", "month"], ["brand_id", "month"], ["month"]],
  routes: {
    "GET /api/earnings/payouts": show<PayoutDocument>()({
      access: { as: "creator", owns: "creator_id" },
      input: z.object({ after: z.string().optional() }),
      answer: async (documents, { after }) => {
        const { items, next } = await documents.sort("-month").page({ after });
        return { items: items.map(payoutView), next };
      },
    }),
  },
});
