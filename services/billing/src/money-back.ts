import type { FactOf } from "@tributary/contracts/event";
import { ChargeDisputed, ChargeRefunded, ChargeTransferReversed } from "@tributary/contracts/events/billing";
import { asCents, type Cents, sum } from "@tributary/contracts/money";
import type { Charge } from "./charge.ts";
import { identity } from "./settle-charge.ts";
import type { SeenBack } from "./stripe/partner.ts";

type Fact =
  | FactOf<typeof ChargeRefunded>
  | FactOf<typeof ChargeTransferReversed>
  | FactOf<typeof ChargeDisputed>;

/** Of what has gone back, the part that belongs to the shares; in whole cents, so that parts add up to the whole. */
function owedAgain({ request }: Charge, back: bigint): bigint {
  const shares = sum(request.breakdown.map(({ net_cents }) => net_cents));
  return (shares * back) / request.amount_grossed_cents;
}

const minus = (one: bigint, other: bigint): Cents => asCents(one - other);

/**
 * What has gone back of a paid charge, by the difference to what is known: what the partner says in sum counts, so that
 * webhooks may come late, twice and in any order. Nothing for a charge that has not been paid.
 */
export function moneyBack(state: Charge, seen: SeenBack): Fact[] {
  const { request, back } = state;
  if (state.paid_attempt === null) return [];
  const of = identity(request);
  const facts: Fact[] = [];
  let known = back.owed_again_cents;
  const owed = (refunded: bigint, withdrawn: bigint): Cents => {
    const now = asCents(owedAgain(state, refunded + withdrawn));
    const more = minus(now, known);
    known = now;
    return more;
  };
  if (seen.refunded_cents !== back.refunded_cents) {
    const refunded_cents = minus(seen.refunded_cents, back.refunded_cents);
    const owed_again_cents = owed(seen.refunded_cents, back.withdrawn_cents);
    const full = seen.refunded_cents >= request.amount_grossed_cents;
    const refunded_total_cents = seen.refunded_cents;
    facts.push(ChargeRefunded({ ...of, refunded_cents, refunded_total_cents, owed_again_cents, full }));
  }
  const reversed_cents = minus(seen.reversed_cents, back.reversed_cents);
  const fee_returned_cents = minus(seen.fee_returned_cents, back.fee_returned_cents);
  if (reversed_cents !== 0n || fee_returned_cents !== 0n)
    facts.push(ChargeTransferReversed({ ...of, reversed_cents, fee_returned_cents }));
  const { dispute } = seen;
  if (!dispute) return facts;
  const withdrawn_cents = minus(dispute.withdrawn_cents, back.withdrawn_cents);
  const fee_cents = minus(dispute.fee_cents, back.dispute_fee_cents);
  if (dispute.status === back.dispute_status && withdrawn_cents === 0n && fee_cents === 0n) return facts;
  const { stripe_dispute_id, reason } = dispute;
  const owed_again_cents = owed(seen.refunded_cents, dispute.withdrawn_cents);
  const what = { stripe_dispute_id, status: dispute.status, reason };
  facts.push(ChargeDisputed({ ...of, ...what, withdrawn_cents, fee_cents, owed_again_cents }));
  return facts;
}
