import type { CycleStatus, StatementLine } from "@tributary/contracts/http/billing";
import { asCents, asE4, type Cents, formatCents, formatE4, NO_CENTS } from "@tributary/contracts/money";
import type { ChargeDocument } from "./read-models/charges.ts";
import type { StatementDocument } from "./read-models/statements.ts";

/** What a statement comes to before anything is rounded. */
export const netOf = (
  of: Pick<StatementDocument, "carried_in" | "commission" | "referral" | "adjustments">,
) => asE4(of.carried_in + of.commission + of.referral + of.adjustments);

/** A line is shown where any of its parts is not zero (scenario rules, Result). */
export const isLine = (
  of: Pick<StatementDocument, "carried_in" | "commission" | "referral" | "adjustments">,
) => of.commission !== 0n || of.referral !== 0n || of.adjustments !== 0n || of.carried_in !== 0n;

/** What its creator has of a statement: all of it once the brand has paid, and they keep it, unless a transfer was reversed. */
export function paidOf(of: Pick<StatementDocument, "charged">, charge: ChargeDocument | undefined): Cents {
  const arrived = charge && charge.fee_cents !== null;
  return arrived ? asCents(of.charged - charge.given_back_cents) : NO_CENTS;
}

/** A statement beside the charge that pays it. */
export function statementLine(of: StatementDocument, charge: ChargeDocument | undefined): StatementLine {
  const { carried_from, recorded, commission, referral, adjustments, carried_in, rounding, ...kept } = of;
  return {
    ...kept,
    commission: formatE4(commission),
    referral: formatE4(referral),
    adjustments: formatE4(adjustments),
    carried_in: formatE4(carried_in),
    net: formatE4(netOf(of)),
    rounding: formatE4(rounding),
    charged: formatCents(of.charged),
    carried_out: formatE4(of.carried_out),
    charge_status: charge?.status ?? null,
    gross: charge?.kind === "creator" ? formatCents(charge.amount_grossed_cents) : null,
    paid: formatCents(paidOf(of, charge)),
  };
}

/** How far a month has come with its charges: all of them, or those of one brand. */
export function cycleStatus(
  recorded: "open" | "closing" | "closed",
  charges: readonly Pick<ChargeDocument, "status">[],
): CycleStatus {
  if (recorded !== "closed" || charges.length === 0) return recorded;
  const underWay = ["processing", "requires_action", "failed"];
  if (charges.some(({ status }) => underWay.includes(status))) return "charging";
  return charges.every(({ status }) => status === "succeeded") ? "settled" : "partially_settled";
}
