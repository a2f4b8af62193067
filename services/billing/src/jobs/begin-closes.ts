import { dayAt, MARKETPLACE_ZONE, monthOf } from "@tributary/contracts/dates";
import { CycleClosing } from "@tributary/contracts/events/billing";
import { cycleId } from "@tributary/contracts/ids";
import { schedule, to } from "@tributary/runtime/decision";
import { job } from "@tributary/runtime/job";
import { cycle } from "../cycle.ts";
import { closesAt } from "../cycle-months.ts";
import { months } from "../facts/calendar.ts";
import { closing } from "../settings.ts";
import { closeMonth } from "./close-month.ts";

/** Every night at 00:05: a month that is over becomes provisional, and one whose day of closing has come is closed. */
export const beginCloses = job("begin-closes", {
  cron: { rule: "5 0 * * *", zone: MARKETPLACE_ZONE },
  run: async (running) => {
    const { now } = running;
    const setting = running.use(closing).CLOSE_DAY;
    const { calendar } = await running.read({ calendar: months });
    for (const { month, status } of calendar?.months ?? []) {
      if (status === "closed" || month >= monthOf(dayAt(now))) continue;
      const due = closesAt(month, setting) <= now;
      await running.act({ of: cycle.at(month) }, ({ of }) => [
        ...(of.status === "open"
          ? [to(cycle.at(month), CycleClosing({ cycle_id: cycleId(month), month }))]
          : []),
        ...(due ? [schedule(closeMonth, month, now)] : []),
      ]);
    }
    return undefined;
  },
});
