import type { BillingResult, Reconciliation } from "@tributary/contracts/http/billing";
import { asE4, type E4, formatE4, parseE4, sum } from "@tributary/contracts/money";
import { grouped } from "./grouped.ts";

/** What became of all that one brand owed one creator. Amounts as decimal text. */
export interface PairTotals {
  readonly brand: string;
  readonly creator: string;
  /** Commission and referral commission, and what restatements changed after their month had closed; the open months' too. */
  readonly earned: string;
  readonly adjusted: string;
  /** What rounding to cents gave (or took, below zero). */
  readonly rounded: string;
  /** What no charge has covered yet: carried out of the last close, and of the open months. */
  readonly carried: string;
  readonly charged: string;
  readonly paid: string;
  /** Earned and adjusted, less charged and carried: "0.0000", or money was made or lost on the way. */
  readonly unexplained: string;
}

/** What a run comes to, without any id that the system draws: two runs of one seed give the same. */
export interface Totals {
  readonly pairs: readonly PairTotals[];
  readonly months: readonly {
    readonly month: string;
    readonly status: string;
    readonly lines: readonly Line[];
  }[];
  readonly charges: readonly Charge[];
  readonly payouts: readonly Payout[];
  /** The sum of all differences between our books and the partners'. */
  readonly differences: string;
}

interface Parties {
  readonly brand: string;
  readonly creator: string;
}
type Line = Parties & Omit<BillingResult["open"][number], keyof Ids>;
interface Charge {
  readonly month: string;
  readonly brand: string;
  readonly creator: string | null;
  readonly status: string;
  readonly gross: string;
  readonly fee: string | null;
}
type Payout = Parties & {
  readonly month: string;
  readonly rail: string;
  readonly status: string;
  readonly amount: string;
};
interface Ids {
  readonly statement_id: string;
  readonly cycle_id: string;
  readonly charge_id: string | null;
  readonly brand_id: string;
  readonly creator_id: string;
}

const sorted = <T>(rows: readonly T[], key: (row: T) => string): T[] =>
  rows
    .map((row) => [key(row), row] as const)
    .sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0))
    .map(([, row]) => row);

const amount = (text: string): E4 => parseE4(text)!;
const total = (texts: readonly string[]): E4 => sum(texts.map(amount));

/** The totals of a run. `keyOf` gives the key of a brand's or creator's role for its id. */
export function totalsOf(
  result: BillingResult,
  { charges, payouts }: Reconciliation,
  keyOf: (id: string) => string,
  difference: E4,
): Totals {
  const named = ({
    statement_id,
    cycle_id,
    charge_id,
    brand_id,
    creator_id,
    ...line
  }: BillingResult["open"][number]): Line => ({
    ...{ brand: keyOf(brand_id), creator: keyOf(creator_id) },
    ...line,
  });
  const of = ({ brand, creator }: { brand: string; creator: string | null }): string =>
    `${brand} ${creator ?? ""}`;
  const months = [
    ...result.cycles.map(({ month, status, lines }) => ({
      month: month as string,
      status: status as string,
      lines,
    })),
    ...[...grouped(result.open, ({ month }) => month)].map(([month, lines]) => ({
      month: month as string,
      status: "open",
      lines,
    })),
  ].map((one) => ({ ...one, lines: sorted(one.lines.map(named), of) }));
  const pairs = pairsOf(months.flatMap(({ lines }) => lines));
  const unexplained = pairs.map(({ unexplained }) => amount(unexplained));
  return {
    pairs,
    months,
    charges: sorted(
      charges.map(({ month, brand_id, creator_id, status, gross, fee }) => ({
        ...{ month: month as string, brand: keyOf(brand_id), creator: creator_id && keyOf(creator_id) },
        ...{ status, gross, fee },
      })),
      (charge) => `${charge.month} ${of(charge)}`,
    ),
    payouts: sorted(
      payouts.map(({ month, brand_id, creator_id, rail, status, amount }) => ({
        ...{ month: month as string, brand: keyOf(brand_id), creator: keyOf(creator_id) },
        ...{ rail, status, amount },
      })),
      (payout) => `${payout.month} ${of(payout)}`,
    ),
    differences: formatE4(sum([difference, ...unexplained.map((of) => (of < 0n ? asE4(-of) : of))])),
  };
}

function pairsOf(lines: readonly Line[]): PairTotals[] {
  const pairs = grouped(lines, ({ brand, creator }) => `${brand} ${creator}`);
  return sorted(
    [...pairs.values()].map((of) => {
      const { brand, creator } = of[0]!;
      const earned = total(of.flatMap(({ commission, referral }) => [commission, referral]));
      const adjusted = total(of.map(({ adjustments }) => adjustments));
      const charged = total(of.map((line) => line.charged));
      const open = of.filter(({ issued }) => !issued);
      const parts = open.flatMap(({ commission, referral, adjustments }) => [
        commission,
        referral,
        adjustments,
      ]);
      const carried = total([of.findLast(({ issued }) => issued)?.carried_out ?? "0.0000", ...parts]);
      return {
        ...{ brand, creator },
        earned: formatE4(earned),
        adjusted: formatE4(adjusted),
        rounded: formatE4(total(of.map(({ rounding }) => rounding))),
        carried: formatE4(carried),
        charged: formatE4(charged),
        paid: formatE4(total(of.map(({ paid }) => paid))),
        unexplained: formatE4(asE4(earned + adjusted - charged - carried)),
      };
    }),
    ({ brand, creator }) => `${brand} ${creator}`,
  );
}
