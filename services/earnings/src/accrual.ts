import type { Day } from "@tributary/contracts/dates";
import { AccruedThrough } from "@tributary/contracts/events/earnings";
import { stream, when } from "@tributary/runtime/stream";

/** How far a brand's sales are known to be accrued: the day of the last pull that is, and attribution's heads it reached. */
export interface Accrual {
  readonly through: Day | null;
  readonly synced: readonly number[];
}

/** One brand's accrual, pull after pull. */
export const accrual = stream("accrual", { through: null, synced: [] } as Accrual, [
  when(AccruedThrough, (_, { data }) => ({ through: data.through, synced: data.synced ?? [] })),
]);
