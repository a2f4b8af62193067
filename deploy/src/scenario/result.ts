import { type Day, type Month, monthOf } from "@tributary/contracts/dates";
import type { BillingResult, StatementLine } from "@tributary/contracts/http/billing";
import type { OnStage } from "./on-stage.ts";

type Amounts = Pick<StatementLine, "commission" | "referral" | "adjustments" | "carried_in">;

/** One brand and creator in a month that closed; keys of the scenario, amounts as decimal text. */
export interface ResultLine extends Amounts {
  readonly brand: string;
  readonly creator: string;
  readonly net: string;
  readonly rounding: string;
  readonly charged: string;
  readonly carried_out: string;
  readonly carried_reason: string | null;
  readonly rail: string | null;
  readonly charge_status: string | null;
  readonly gross: string | null;
  readonly paid: string;
}

/** What a scenario comes to, to the letter of the scenario specification ("Result"). */
export interface Result {
  readonly cycles: readonly {
    readonly month: Month;
    readonly status: string;
    readonly lines: readonly ResultLine[];
  }[];
  readonly platform_charges: readonly {
    readonly month: Month;
    readonly brand: string;
    readonly net: string;
    readonly gross: string;
    readonly status: string;
  }[];
  readonly open: readonly (Amounts & {
    readonly month: Month;
    readonly brand: string;
    readonly creator: string;
  })[];
  readonly review: readonly ReviewEntry[];
  readonly differences: string;
}

/** A (link, date) whose report came too late to be booked by itself. */
export interface ReviewEntry {
  readonly link: string;
  readonly date: Day;
  readonly delta_base: string;
}

/** Sorts by code point, member by member; keys and dates are ASCII, so that code units will do. */
export function sorted<T>(list: readonly T[], ...by: readonly (keyof T)[]): T[] {
  return list.toSorted((a, b) => {
    const other = by.find((member) => a[member] !== b[member]);
    return other === undefined ? 0 : a[other] < b[other] ? -1 : 1;
  });
}

const keysOf = (named: ReadonlyMap<string, { readonly id: string }>): ((id: string) => string) => {
  const byId = new Map([...named].map(([key, { id }]) => [id, key]));
  return (id) => {
    const key = byId.get(id);
    if (key === undefined) throw new Error(`the result names ${id}, which the scenario does not`);
    return key;
  };
};

const amountsOf = ({ commission, referral, adjustments, carried_in }: Amounts): Amounts => ({
  commission,
  referral,
  adjustments,
  carried_in,
});

/** Names everything as the scenario does, and leaves out the months before its first. */
export function resultOf(
  { cycles, platform_charges, open }: BillingResult,
  review: readonly ReviewEntry[],
  differences: string,
  stage: OnStage,
  start: Day,
): Result {
  const [brandOf, creatorOf] = [keysOf(stage.brands), keysOf(stage.creators)];
  const first = monthOf(start);
  const pair = (of: { brand_id: string; creator_id: string }) => ({
    brand: brandOf(of.brand_id),
    creator: creatorOf(of.creator_id),
  });
  const line = (of: StatementLine): ResultLine => ({
    ...pair(of),
    ...amountsOf(of),
    ...{ net: of.net, rounding: of.rounding, charged: of.charged, carried_out: of.carried_out },
    ...{ carried_reason: of.carried_reason, rail: of.rail, charge_status: of.charge_status },
    ...{ gross: of.gross, paid: of.paid },
  });
  return {
    cycles: sorted(
      cycles
        .filter(({ month }) => month >= first)
        .map(({ month, status, lines }) => ({
          month,
          status,
          lines: sorted(lines.map(line), "brand", "creator"),
        })),
      "month",
    ),
    platform_charges: sorted(
      platform_charges.map(({ month, brand_id, net, gross, status }) => ({
        month,
        brand: brandOf(brand_id),
        ...{ net, gross, status },
      })),
      "month",
      "brand",
    ),
    open: sorted(
      open.map((of) => ({ month: of.month, ...pair(of), ...amountsOf(of) })),
      "month",
      "brand",
      "creator",
    ),
    review: sorted(review, "link", "date"),
    differences,
  };
}
