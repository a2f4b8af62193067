import type { Month } from "@tributary/contracts/dates";
import { ChargeRequested, type ChargeShare } from "@tributary/contracts/events/billing";
import { cycleId } from "@tributary/contracts/ids";
import { asCents, NO_CENTS, sum } from "@tributary/contracts/money";
import { type Addressed, to } from "@tributary/runtime/decision";
import { type Charge, charge } from "./charge.ts";
import type { Close } from "./cycle.ts";
import { platformChargeId } from "./ids.ts";
import { chargeable, type paymentMethods } from "./payment-method.ts";
import { attemptStarted } from "./settle-charge.ts";
import type { statement } from "./statement.ts";
import { asked } from "./total-statement.ts";

/** What the brand pays for each payout by PayPal or Venmo (product specification: paypal_payouts.fee_cents). */
export const PAYOUT_FEE = asCents(25n);

/** The creators of a brand's issued statements who are paid out of one platform charge, and how much each. */
export const sharesOf = (statements: readonly (typeof statement)["initial"][]): ChargeShare[] =>
  statements.flatMap(({ issued }) => {
    const paid = issued && issued.charged > 0n && (issued.rail === "paypal" || issued.rail === "venmo");
    if (!paid) return [];
    const { statement_id, creator_id, rail, charged } = issued;
    return [{ statement_id, creator_id, rail, net_cents: charged, payout_fee_cents: PAYOUT_FEE }];
  });

/**
 * Asks the brand once for all that PayPal and Venmo will pay out of the month, 25 cents for each of them on top. Nothing
 * when there is none to pay, or it has been asked already.
 */
export function requestPlatformCharge(of: {
  month: Month;
  brand_id: string;
  close: Close;
  statements: readonly (typeof statement)["initial"][];
  wallet: (typeof paymentMethods)["initial"];
  charge: Charge | null;
}): Addressed[] {
  const breakdown = sharesOf(of.statements);
  if (breakdown.length === 0 || of.charge) return [];
  const { month, brand_id, close } = of;
  const charge_id = platformChargeId(month, brand_id);
  const method = chargeable(of.wallet);
  const net = sum(breakdown.flatMap(({ net_cents, payout_fee_cents }) => [net_cents, payout_fee_cents]));
  const requested = ChargeRequested({
    ...{ charge_id, cycle_id: cycleId(month), month, brand_id, creator_id: null, kind: "platform" },
    ...asked(net, method, close.gross_up, month),
    closed_on: close.closed_on,
    application_fee_amount_cents: NO_CENTS,
    breakdown,
    destination_account_id: null,
  });
  return [to(charge.at(charge_id), requested, attemptStarted(requested.data, 1, method))];
}
