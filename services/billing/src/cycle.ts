import type { Day } from "@tributary/contracts/dates";
import {
  CycleCharged,
  CycleClosed,
  CycleClosing,
  CycleOpened,
  CycleTotalled,
  type GrossUp,
} from "@tributary/contracts/events/billing";
import type { Cents } from "@tributary/contracts/money";
import { stream, when } from "@tributary/runtime/stream";

/** The rules a closed month's statements are totalled by, as they stood at the close. */
export interface Close {
  readonly closed_at: string;
  readonly closed_on: Day;
  readonly min_payout: Cents;
  readonly gross_up: GrossUp;
}

type State =
  | { status: "none" | "open" | "closing" }
  | ({ status: "closed" | "totalled" | "charged" } & Close);

/** A month of the calendar. Bookings guard it, so that none can follow its CycleClosed. */
export const cycle = stream("cycle", { status: "none" } as State, [
  when(CycleOpened, () => ({ status: "open" })),
  when(CycleClosing, () => ({ status: "closing" })),
  when(CycleClosed, (_, { data: { closed_on, min_payout, gross_up }, time }) => ({
    status: "closed",
    closed_at: time,
    closed_on,
    min_payout,
    gross_up,
  })),
  when(CycleTotalled, (state) => ({ ...(state as State & Close), status: "totalled" })),
  when(CycleCharged, (state) => ({ ...(state as State & Close), status: "charged" })),
]);

/** Whether the month still takes amounts; `closing` does. */
export const takesAmounts = ({ status }: { status: string }): boolean =>
  status === "open" || status === "closing";
