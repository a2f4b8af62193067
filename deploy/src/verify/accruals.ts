import type { DataOf, Heard } from "@tributary/contracts/event";
import type { PerfMetricIngested } from "@tributary/contracts/events/attribution";
import {
  EarningAccrued,
  EarningAdjusted,
  RestatementRefused,
  RestatementWithdrawn,
} from "@tributary/contracts/events/earnings";
import type { Cents, E4 } from "@tributary/contracts/money";
import type { HeardOf } from "@tributary/runtime/reaction";
import { streams } from "./events.ts";
import { type Place, placeOf } from "./findings.ts";
import type { Ground } from "./ground.ts";

const HISTORY = [EarningAccrued, EarningAdjusted, RestatementRefused, RestatementWithdrawn] as const;

/** One thing said of an earning. */
export type EarningEvent = HeardOf<typeof HISTORY>;

/** What a revision of a metric was taken for. */
export interface Accepted {
  readonly revision: number;
  readonly base: Cents;
  readonly place: Place;
}

/** An earning as its stream has it in the end. */
export interface Accrual {
  readonly accrued: DataOf<typeof EarningAccrued>;
  /** The base of every revision of the metric that was accepted, with the row that says so; the last one counts. */
  readonly accepted: readonly Accepted[];
  readonly base: Cents;
  readonly amount: E4;
  /** What the report said too late to be booked by itself. */
  readonly refused: Cents | null;
  /** The row that says so. */
  readonly place: Place;
  readonly last: Pick<Heard, "stream" | "partition" | "sequence">;
}

/** What the event makes of an earning; null when it speaks of one that was never accrued. */
function next(before: Accrual | null, event: EarningEvent): Accrual | null {
  const place = placeOf(event);
  const at = { place, last: event };
  switch (event.type) {
    case "EarningAccrued": {
      const { sales_amount: base, revision, amount } = event.data;
      const accepted = [{ revision, base, place }];
      return { accrued: event.data, accepted, base, amount, refused: null, ...at };
    }
    case "EarningAdjusted": {
      const { to_sales_amount: base, to_revision: revision, amount } = event.data;
      if (!before) return null;
      const accepted = [...before.accepted, { revision, base, place }];
      return { ...before, accepted, base, amount, refused: null, ...at };
    }
    case "RestatementRefused":
      return before && { ...before, refused: event.data.reported_sales_amount, last: event };
    case "RestatementWithdrawn":
      return before && { ...before, refused: null, last: event };
  }
}

/** Every earning by its stream; `heed` sees each event beside what its earning was before it. */
export async function accrualsOf(
  ground: Ground,
  heed: (before: Accrual | null, event: EarningEvent) => void = () => undefined,
): Promise<Map<string, Accrual>> {
  const accruals = new Map<string, Accrual>();
  for await (const events of streams(ground, HISTORY)) {
    let state: Accrual | null = null;
    for (const event of events) {
      heed(state, event);
      state = next(state, event);
    }
    if (state) accruals.set(events[0]!.stream, state);
  }
  return accruals;
}

/** The sales of a metric that an earning is reckoned from: which of the two figures was recorded with it. */
export const baseFor = (
  { accrued }: Pick<Accrual, "accrued">,
  metric: Pick<DataOf<typeof PerfMetricIngested>, "attributed_sales_14d" | "total_attributed_sales_14d">,
): Cents =>
  accrued.commission_base === "promoted" ? metric.attributed_sales_14d : metric.total_attributed_sales_14d;
