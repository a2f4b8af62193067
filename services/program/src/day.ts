import type { Day } from "@tributary/contracts/dates";
import { DayBegan } from "@tributary/contracts/events/day";
import { beginsDays } from "@tributary/runtime/days";
import { tryLater } from "@tributary/runtime/refusal";

/** Says in every partition of program's log that a day began; what is decided with a date guards that saying. */
export const days = beginsDays(DayBegan.program);

/** The day a dated decision is made on: the one that has begun in its partition. Before today has begun there it waits. */
export function begun({ date }: { readonly date: Day | null }, today: Day): Day {
  if (date === null || date < today) throw tryLater("day_not_begun", "The day is only just beginning", 5);
  return date;
}
