import { addMonths, type Day, type Month } from "@tributary/contracts/dates";
import {
  CarriedIn,
  ChargeRequested,
  type GrossUp,
  StatementIssued,
} from "@tributary/contracts/events/billing";
import { cycleId, statementId } from "@tributary/contracts/ids";
import { asCents, NO_CENTS } from "@tributary/contracts/money";
import { type Addressed, anyhow, create, to } from "@tributary/runtime/decision";
import type { StreamRef } from "@tributary/runtime/stream";
import { charge } from "./charge.ts";
import { closeStatement, minimumWaived } from "./close-statement.ts";
import type { Close } from "./cycle.ts";
import type { Pair } from "./facts/roster.ts";
import { grossUp } from "./gross-up.ts";
import { creatorChargeId, platformChargeId } from "./ids.ts";
import { chargeable, type PaymentMethod, type paymentMethods } from "./payment-method.ts";
import { type payoutDestination, railAt } from "./payout-destination.ts";
import { attemptStarted } from "./settle-charge.ts";
import { statement, statementKey } from "./statement.ts";

type StateOf<R> = R extends { at(key: string): StreamRef<infer S, infer _> } ? S : never;

/** Everything the closing of one statement depends on. */
export interface Totalling {
  readonly month: Month;
  readonly close: Close;
  readonly pair: Pair;
  readonly statement: StateOf<typeof statement>;
  readonly destination: StateOf<typeof payoutDestination>;
  readonly wallet: StateOf<typeof paymentMethods>;
  readonly partnership_ended_on: Day | null;
}

/** What a charge asks of the brand's method, and how it is called on the brand's statement. */
export function asked(net: bigint, method: PaymentMethod | null, policy: GrossUp, month: Month) {
  const pm_type = method?.pm_type ?? "card";
  const amount_grossed_cents = grossUp(asCents(net), pm_type, policy);
  const described = `TRIBUTARY ${month}`;
  return {
    amount: asCents(net),
    amount_grossed_cents,
    currency: "USD" as const,
    pm_type,
    on_behalf_of_account_id: null,
    statement_descriptor: pm_type === "card" ? null : described,
    statement_descriptor_suffix: pm_type === "card" ? described : null,
  };
}

/**
 * Issues one statement of a closed month, passes its carry on to the next, and asks the brand for a destination charge
 * where the creator is paid by Stripe. Nothing when it has been issued already.
 */
export function totalStatement(of: Totalling): Addressed[] {
  const { month, close, pair, statement: state } = of;
  const { brand_id, creator_id } = pair;
  if (state.issued) return [];
  const rail = railAt(of.destination, close.closed_at);
  const method = chargeable(of.wallet);
  const { commission, referral, adjustments, carried_in } = state;
  const minimum_waived = minimumWaived({
    month,
    closed_on: close.closed_on,
    partnership_ended_on: of.partnership_ended_on,
    months_below_minimum: state.months_below_minimum,
  });
  const closed = closeStatement({
    ...{ commission, referral, adjustments, carried_in, rail, minimum_waived },
    brand_can_pay: method !== null,
    min_payout: close.min_payout,
  });
  const months_below_minimum = closed.carried_reason === "below_minimum" ? state.months_below_minimum + 1 : 0;
  const pays = closed.charged > 0n;
  const byStripe = rail === "stripe";
  const charge_id = !pays
    ? null
    : byStripe
      ? creatorChargeId(month, brand_id, creator_id)
      : platformChargeId(month, brand_id);
  const id = statementId(month, brand_id, creator_id);
  const cycle_id = cycleId(month);
  const issued = StatementIssued({
    ...{
      statement_id: id,
      cycle_id,
      month,
      brand_id,
      creator_id,
      commission,
      referral,
      adjustments,
      carried_in,
    },
    ...closed,
    ...{ minimum_waived, months_below_minimum, rail, charge_id },
  });
  const units: Addressed[] = [to(statement.at(statementKey(month, brand_id, creator_id)), issued)];

  if (closed.carried_out !== 0n) {
    const next = addMonths(month, 1);
    const carried = CarriedIn({
      ...{ statement_id: statementId(next, brand_id, creator_id), cycle_id: cycleId(next), month: next },
      ...{ brand_id, creator_id, from_month: month, from_statement_id: id },
      ...{ amount: closed.carried_out, months_below_minimum },
    });
    units.push(anyhow(statement.at(statementKey(next, brand_id, creator_id)), carried));
  }
  if (charge_id && byStripe) {
    const amounts = asked(closed.charged, method, close.gross_up, month);
    const share = {
      statement_id: id,
      creator_id,
      rail,
      net_cents: closed.charged,
      payout_fee_cents: NO_CENTS,
    };
    const requested = ChargeRequested({
      ...{ charge_id, cycle_id, month, brand_id, creator_id, kind: "creator", closed_on: close.closed_on },
      ...amounts,
      application_fee_amount_cents: asCents(amounts.amount_grossed_cents - closed.charged),
      breakdown: [share],
      destination_account_id: of.destination.account!.stripe_account_id,
    });
    units.push(create(charge.at(charge_id), requested, attemptStarted(requested.data, 1, method)));
  }
  return units;
}
