import { asCents, sum } from "@tributary/contracts/money";
import type Stripe from "stripe";
import type { SeenBack } from "./partner.ts";
import { idOf } from "./told.ts";

/** The charge that the object of a webhook belongs to. */
async function chargeOf(stripe: Stripe, event_type: string, id: string): Promise<string | null> {
  if (event_type.startsWith("charge.refund.")) return idOf((await stripe.refunds.retrieve(id)).charge);
  if (event_type.startsWith("charge.dispute.")) return idOf((await stripe.disputes.retrieve(id)).charge);
  if (event_type.startsWith("transfer."))
    return idOf((await stripe.transfers.retrieve(id)).source_transaction);
  if (event_type.startsWith("application_fee."))
    return idOf((await stripe.applicationFees.retrieve(id)).charge);
  return id;
}

const cents = (amounts: readonly number[]) => sum(amounts.map((amount) => asCents(BigInt(amount))));

function disputeFrom(disputes: readonly Stripe.Dispute[]): SeenBack["dispute"] {
  const [latest] = disputes;
  if (!latest) return null;
  const { id, reason, status } = latest;
  const lines = disputes.flatMap(({ balance_transactions }) => balance_transactions);
  return {
    stripe_dispute_id: id,
    status: status === "lost" ? "lost" : status === "won" || status === "warning_closed" ? "won" : "open",
    reason,
    withdrawn_cents: asCents(-cents(lines.map(({ amount }) => amount))),
    fee_cents: cents(lines.map(({ fee }) => fee)),
  };
}

/** Adds up what has gone back of the charge that a webhook's object belongs to. */
export async function liveMoneyBack(
  stripe: Stripe,
  event_type: string,
  id: string,
): Promise<SeenBack | null> {
  const named = await chargeOf(stripe, event_type, id);
  if (!named) return null;
  const expand = ["payment_intent", "transfer", "application_fee"];
  const charge = await stripe.charges.retrieve(named, { expand });
  const intent = charge.payment_intent as Stripe.PaymentIntent | null;
  if (!intent) return null;
  const disputes = await stripe.disputes.list({ charge: named, limit: 10 });
  const transfer = charge.transfer as Stripe.Transfer | null | undefined;
  const fee = charge.application_fee as Stripe.ApplicationFee | null;
  return {
    stripe_payment_intent_id: intent.id,
    metadata: intent.metadata,
    refunded_cents: cents([charge.amount_refunded]),
    reversed_cents: cents([transfer?.amount_reversed ?? 0]),
    fee_returned_cents: cents([fee?.amount_refunded ?? 0]),
    dispute: disputeFrom(disputes.data),
  };
}
