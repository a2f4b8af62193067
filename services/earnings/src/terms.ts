import type { Day } from "@tributary/contracts/dates";
import type { DataOf } from "@tributary/contracts/event";
import type { PerfMetricIngested } from "@tributary/contracts/events/attribution";
import type { CommissionBase } from "@tributary/contracts/events/program";
import { inForce } from "@tributary/contracts/fees";
import type { Cents } from "@tributary/contracts/money";
import type { CommissionBases } from "./facts/commission-bases.ts";
import type { Fee } from "./facts/fee.ts";
import type { Partnership } from "./facts/partnership.ts";

/** Everything agreed that decides what a creator's sales of a product earn, as values: other terms answer "what if". */
export interface Terms {
  readonly partnership: Partnership;
  /** Null while the brand never set another commission base than the partnership began with. */
  readonly bases: CommissionBases | null;
  readonly product_fee: Fee;
  /** Null where nothing was agreed in private. */
  readonly private_fee: Fee | null;
  /** The partnership of who referred the creator, at the same brand; null where nobody did. */
  readonly referrer: Partnership | null;
}

type Sales = Pick<
  DataOf<typeof PerfMetricIngested>,
  "date" | "attributed_sales_14d" | "total_attributed_sales_14d"
>;

/** Which of the report's two figures counts for sales of a day (scenario rule 2). */
export const baseIn = (
  { partnership, bases }: Pick<Terms, "partnership" | "bases">,
  on: Day,
): CommissionBase => inForce(bases?.versions ?? [], on)?.base ?? partnership.commission_base;

/** The sales that are commissioned, in cents. */
export const baseOf = (sales: Sales, terms: Pick<Terms, "partnership" | "bases">): Cents =>
  baseIn(terms, sales.date) === "total" ? sales.total_attributed_sales_14d : sales.attributed_sales_14d;
