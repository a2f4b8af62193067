import type { Day, Month } from "@tributary/contracts/dates";
import type { CarriedReason, Rail } from "@tributary/contracts/events/billing";
import {
  asE4,
  type Cents,
  centsToE4,
  type E4,
  NO_CENTS,
  NO_E4,
  roundToCents,
} from "@tributary/contracts/money";

/** What stands on a statement when its month closes, and what its closing depends on. */
export interface Closing {
  readonly carried_in: E4;
  readonly commission: E4;
  readonly referral: E4;
  readonly adjustments: E4;
  /** The creator's payout setting at the moment of the close. */
  readonly rail: Rail;
  readonly brand_can_pay: boolean;
  readonly min_payout: Cents;
  readonly minimum_waived: boolean;
}

/** How a statement closes: `net + rounding = charged` where something is charged, `net = carried_out` where it is not. */
export interface Closed {
  readonly net: E4;
  /** Positive when the creator gains. */
  readonly rounding: E4;
  readonly charged: Cents;
  readonly carried_out: E4;
  readonly carried_reason: CarriedReason | null;
}

/** The card network takes no less than 50 cents, whatever is waived. */
const NETWORK_MINIMUM = 50n;

const carried = (net: E4, carried_reason: CarriedReason | null): Closed => ({
  net,
  rounding: NO_E4,
  charged: NO_CENTS,
  carried_out: net,
  carried_reason,
});

/** The rule of the close for one brand and creator, the first that applies (scenario rules, 7). */
export function closeStatement(closing: Closing): Closed {
  const net = asE4(closing.carried_in + closing.commission + closing.referral + closing.adjustments);
  if (net < 0n) return carried(net, "negative");
  if (net === 0n) return carried(net, null);
  if (closing.rail === "none") return carried(net, "no_payout_method");
  if (!closing.brand_can_pay) return carried(net, "no_payment_method");
  const payable = roundToCents(net);
  if (payable < NETWORK_MINIMUM) return carried(net, "below_minimum");
  if (payable < closing.min_payout && !closing.minimum_waived) return carried(net, "below_minimum");
  const rounding = asE4(centsToE4(payable) - net);
  return { net, rounding, charged: payable, carried_out: asE4(-rounding), carried_reason: null };
}

/**
 * The minimum is no reason to wait when the partnership ended on a day before the close, in a December, and after three
 * months in a row below it (scenario rules, 7).
 */
export const minimumWaived = (of: {
  month: Month;
  closed_on: Day;
  partnership_ended_on: Day | null;
  months_below_minimum: number;
}): boolean =>
  (of.partnership_ended_on !== null && of.partnership_ended_on < of.closed_on) ||
  of.month.endsWith("-12") ||
  of.months_below_minimum >= 3;
