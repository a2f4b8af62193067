import { asCents, asE4, type Cents, centsToE4, formatCents, formatE4, sum } from "@tributary/contracts/money";
import { route } from "@tributary/runtime/route";
import { processingFee } from "../gross-up.ts";
import { ACCOUNTS, balance } from "../ledger.ts";
import { type ChargeDocument, charges } from "../read-models/charges.ts";
import { everything } from "../read-models/everything.ts";
import { ledger } from "../read-models/ledger.ts";
import { type PayoutDocument, payouts, payoutView } from "../read-models/payouts.ts";
import { type StatementDocument, statements } from "../read-models/statements.ts";
import { isLine, netOf, paidOf } from "../statement-line.ts";

function row(of: StatementDocument, charge: ChargeDocument | undefined) {
  const arrived = charge && charge.fee_cents !== null;
  const fees = arrived && charge.kind === "creator" ? charge.amount_grossed_cents - charge.amount : 0n;
  return {
    ...{ month: of.month, brand_id: of.brand_id, creator_id: of.creator_id },
    earned: formatE4(asE4(of.commission + of.referral)),
    adjusted: formatE4(of.adjustments),
    carried_in: formatE4(of.carried_in),
    rounded: formatE4(of.rounding),
    carried_out: formatE4(of.carried_out),
    charged: formatCents(of.charged),
    paid: formatCents(paidOf(of, charge)),
    fees: formatE4(asE4(fees * 100n)),
  };
}

/** What a statement makes or loses: nothing, for what came in was charged, is carried, or is still open. */
const leak = (of: StatementDocument): bigint =>
  of.issued ? netOf(of) - centsToE4(of.charged) - of.carried_out : 0n;

const compared = (pairs: readonly { expected: Cents; taken: Cents }[]) => {
  const expected = sum(pairs.map((pair) => pair.expected));
  const taken = sum(pairs.map((pair) => pair.taken));
  const difference = formatCents(asCents(taken - expected));
  return { expected: formatCents(expected), taken: formatCents(taken), difference };
};

const expectedOf = ({ amount_grossed_cents, pm_type }: ChargeDocument): Cents =>
  processingFee(amount_grossed_cents, pm_type);

/** What the partners really took beside what was reckoned with, of everything that has been taken. */
const feesOf = (paying: readonly ChargeDocument[], paid: readonly PayoutDocument[]) => ({
  processing: compared(
    paying.flatMap((of) =>
      of.fee_cents === null ? [] : [{ expected: expectedOf(of), taken: of.fee_cents }],
    ),
  ),
  payouts: compared(
    paid
      .filter(({ status }) => status === "succeeded")
      .map((of) => ({ expected: of.fee_expected_cents, taken: of.fee_cents })),
  ),
});

/** Per month, brand and creator what was earned and what became of it, with our own books: for comparing with the partners'. */
export const showReconciliation = route("GET /api/billing/reconciliation", {
  access: { as: "admin" },
  handle: async (_, asking) => {
    const [lines, paying, paid, books] = await Promise.all([
      everything(asking.documents(statements).sort("month", "brand_id", "creator_id")),
      everything(asking.documents(charges).sort("month", "brand_id", "creator_id")),
      everything(asking.documents(payouts).sort("month", "brand_id", "creator_id")),
      everything(asking.documents(ledger)),
    ]);
    const byId = new Map(paying.map((charge) => [charge.charge_id, charge]));
    const total = sum(lines.map((line) => asE4(leak(line) < 0n ? -leak(line) : leak(line))));
    return {
      rows: lines.filter(isLine).map((line) => row(line, byId.get(line.charge_id ?? ""))),
      charges: paying.map((charge) => ({
        ...{ charge_id: charge.charge_id, month: charge.month, brand_id: charge.brand_id },
        ...{ creator_id: charge.creator_id, status: charge.status },
        stripe_payment_intent_id: charge.stripe_payment_intent_id,
        stripe_transfer_id: charge.stripe_transfer_id,
        gross: formatCents(charge.amount_grossed_cents),
        fee: charge.fee_cents === null ? null : formatCents(charge.fee_cents),
        fee_expected: formatCents(expectedOf(charge)),
        fee_difference:
          charge.fee_cents === null ? null : formatCents(asCents(charge.fee_cents - expectedOf(charge))),
      })),
      fees: feesOf(paying, paid),
      payouts: paid.map(payoutView),
      ledger: Object.fromEntries(
        ACCOUNTS.map((account) => [account, formatE4(sum(books.map((of) => of[account])))]),
      ),
      ledger_sum: formatE4(sum(books.map((of) => balance(of)))),
      difference: formatE4(total),
    };
  },
});
