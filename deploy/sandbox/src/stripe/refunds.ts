import { giveBack } from "./application-fees.ts";
import { book, onWire } from "./balance.ts";
import { invalid, missing } from "./errors.ts";
import { page, within } from "./lists.ts";
import type { Charge } from "./objects.ts";
import { createdFilter, flag, hash, integer, merged, metadata, oneOf, paging, text } from "./params.ts";
import { route } from "./route.ts";
import { reverse } from "./transfers.ts";
import type { Unit } from "./unit.ts";

function chargeOf(
  unit: Unit,
  given: { charge?: string | undefined; payment_intent?: string | undefined },
): Charge {
  const { charge, payment_intent } = given;
  if ((charge === undefined) === (payment_intent === undefined))
    throw invalid(
      "One of the following params should be provided for this request: payment_intent or charge.",
      {
        code: "parameter_missing",
        param: "payment_intent",
      },
    );
  if (charge !== undefined) {
    const found = unit.find("charge", charge);
    if (!found) throw missing("charge", charge, "charge");
    return found;
  }
  const intent = unit.find("payment_intent", payment_intent!);
  if (!intent) throw missing("payment_intent", payment_intent!, "payment_intent");
  if (intent.status !== "succeeded")
    throw invalid(`This PaymentIntent (${intent.id}) does not have a successful charge to refund.`, {
      param: "payment_intent",
    });
  return unit.get("charge", intent.latest_charge!);
}

/** The part of `whole` that belongs to the first `refunded` of `amount` cents, rounded down; so that parts add up to the whole. */
function share(whole: number, refunded: number, amount: number): bigint {
  return (BigInt(whole) * BigInt(refunded)) / BigInt(amount);
}

const create = route(
  "POST /v1/refunds",
  hash({
    amount: integer({ min: 1 }).optional(),
    charge: text().optional(),
    metadata: metadata().optional(),
    payment_intent: text().optional(),
    reason: oneOf("duplicate", "fraudulent", "requested_by_customer").optional(),
    refund_application_fee: flag().optional(),
    reverse_transfer: flag().optional(),
  }),
  ({ unit, params }) => {
    const charge = chargeOf(unit, params);
    if (charge.status !== "succeeded")
      throw invalid(`Charge ${charge.id} has not succeeded and cannot be refunded.`, { param: "charge" });
    const left = charge.amount - charge.amount_refunded;
    if (left === 0)
      throw invalid(`Charge ${charge.id} has already been refunded.`, { code: "charge_already_refunded" });
    const amount = params.amount ?? left;
    if (amount > left)
      throw invalid(
        `Refund amount ($${amount}) is greater than unrefunded amount on charge ($${left}), in cents.`,
        { param: "amount" },
      );
    const { transfer, application_fee } = charge;
    if (params.reverse_transfer && !transfer)
      throw invalid("Cannot reverse transfer: the charge does not have an associated transfer.", {
        param: "reverse_transfer",
      });
    if (params.refund_application_fee && !application_fee)
      throw invalid("Cannot refund application fee: the charge has none.", {
        param: "refund_application_fee",
      });

    const id = unit.id("re_");
    const total = charge.amount_refunded + amount;
    unit.move("platform", "external", BigInt(amount), id);
    const line = book(unit, {
      type: "refund",
      reporting_category: "refund",
      source: id,
      amount: -BigInt(amount),
    });
    if (params.refund_application_fee) {
      const fee = unit.get("application_fee", application_fee!);
      const cents = share(fee.amount, total, charge.amount) - BigInt(fee.amount_refunded);
      if (cents > 0n) giveBack(unit, fee, cents);
    }
    const source = params.reverse_transfer ? unit.get("transfer", transfer!) : null;
    const back = source ? share(source.amount, total, charge.amount) - BigInt(source.amount_reversed) : 0n;
    const reversal = source && back > 0n ? reverse(unit, source, back, { refund: id }) : null;
    const refunded = unit.put({ ...charge, amount_refunded: total, refunded: total === charge.amount });
    unit.emit("charge.refunded", refunded, { previous: { amount_refunded: charge.amount_refunded } });
    return unit.put({
      id,
      object: "refund" as const,
      amount: onWire(BigInt(amount)),
      balance_transaction: line.id,
      charge: charge.id,
      created: unit.created,
      currency: "usd" as const,
      metadata: merged({}, params.metadata),
      payment_intent: charge.payment_intent,
      reason: params.reason ?? null,
      status: "succeeded" as const,
      transfer_reversal: reversal?.id ?? null,
    });
  },
);

const retrieve = route("GET /v1/refunds/:id", hash({}), ({ unit, path }) => {
  const refund = unit.find("refund", path.id!);
  if (!refund) throw missing("refund", path.id!, "refund", 404);
  return refund;
});

const list = route(
  "GET /v1/refunds",
  hash({
    ...paging,
    charge: text().optional(),
    created: createdFilter().optional(),
    payment_intent: text().optional(),
  }),
  ({ unit, params: { charge, created, payment_intent, ...paging } }) => {
    const found = unit
      .all("refund")
      .filter((refund) => within(refund.created, created) && (!charge || refund.charge === charge))
      .filter((refund) => !payment_intent || refund.payment_intent === payment_intent);
    return page("/v1/refunds", found, paging);
  },
);

/** Money given back to customers; Stripe keeps its own fee. */
export const refunds = [create, list, retrieve];
