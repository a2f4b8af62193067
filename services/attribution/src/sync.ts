import type { Day } from "@tributary/contracts/dates";
import { ReportPulled, SyncCompleted } from "@tributary/contracts/events/attribution";
import { stream, when } from "@tributary/runtime/stream";

/** How far a brand's reports have been read. */
export interface Sync {
  readonly pulled_at: string | null;
  readonly through: Day | null;
}

/** One per brand: its pulls, and the daily word that everything a pull showed is recorded. */
export const sync = stream("sync", { pulled_at: null, through: null } as Sync, [
  when(ReportPulled, (state, { time }) => ({ ...state, pulled_at: time })),
  when(SyncCompleted, (state, { data }) => ({ ...state, through: data.through })),
]);
