import { firstDay, lastDay, monthOf } from "@tributary/contracts/dates";
import { CycleOpened } from "@tributary/contracts/events/billing";
import { DayBegan } from "@tributary/contracts/events/day";
import { cycleId } from "@tributary/contracts/ids";
import { to } from "@tributary/runtime/decision";
import { reaction } from "@tributary/runtime/reaction";
import { cycle } from "../cycle.ts";

/** A day began: its month takes amounts, if it doesn't already. The first day ever heard of is the birth of the first cycle. */
export const openMonth = reaction("open-month", {
  on: [DayBegan.program],
  reads: ({ data: { date } }) => ({ now: cycle.at(monthOf(date)) }),
  decide: ({ data: { date } }, { now }) => {
    const month = monthOf(date);
    if (now.status !== "none") return [];
    const period = { period_start: firstDay(month), period_end: lastDay(month) };
    return [
      to(cycle.at(month), CycleOpened({ cycle_id: cycleId(month), month, ...period, currency: "USD" })),
    ];
  },
});
