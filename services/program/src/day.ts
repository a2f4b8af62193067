import { DayBegan } from "@tributary/contracts/events/day";
import { daysOf } from "@tributary/runtime/days";

/** Says in every partition of this log that a day began; what is decided with a date guards that saying. */
export const days = daysOf(DayBegan.program);
