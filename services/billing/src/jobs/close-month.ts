import { addDays, addMonths, month } from "@tributary/contracts/dates";
import { CycleClosed } from "@tributary/contracts/events/billing";
import { cycleId } from "@tributary/contracts/ids";
import { parseCents } from "@tributary/contracts/money";
import { schedule, to } from "@tributary/runtime/decision";
import { job } from "@tributary/runtime/job";
import { progress } from "@tributary/runtime/progress";
import { cycle, takesAmounts } from "../cycle.ts";
import { closeDay, closesAt } from "../cycle-months.ts";
import { everyBrand } from "../facts/completeness.ts";
import { closing } from "../settings.ts";
import { whatIsMissing } from "../what-is-missing.ts";
import { totalMonth } from "./total-month.ts";

const ASK_AGAIN_MS = 15 * 60_000;
const PATIENCE_MS = 24 * 3_600_000;

const inAWhile = (now: string): { again: string } => ({
  again: new Date(Date.parse(now) + ASK_AGAIN_MS).toISOString(),
});

/**
 * Closes one month: appends its fence as soon as every brand is known to be complete through the day before the close, or
 * a day later with what is missing named. The month before comes first, for its carries belong to this one.
 */
export const closeMonth = job("close-month", {
  run: async (running) => {
    const { key, now } = running;
    const of = month.parse(key);
    const { CLOSE_DAY, MIN_PAYOUT, GROSS_UP } = running.use(closing);
    const { self, before, brands, booked } = await running.read({
      self: cycle.at(of),
      before: cycle.at(addMonths(of, -1)),
      brands: everyBrand,
      booked: progress.at("book-earning", "earnings"),
    });
    if (!takesAmounts(self)) return undefined;
    if (!["none", "totalled", "charged"].includes(before.status)) return inAWhile(now);

    const needed = addDays(closeDay(of, CLOSE_DAY), -1);
    const missing = whatIsMissing(
      brands.flatMap((row) => row?.brands ?? []),
      needed,
      booked,
    );
    const patient = Date.parse(now) < Date.parse(closesAt(of, CLOSE_DAY)) + PATIENCE_MS;
    if (missing.length > 0 && patient) return inAWhile(now);

    await running.act({ self: cycle.at(of) }, ({ self }, { today }) => {
      if (!takesAmounts(self)) return [];
      const closed = CycleClosed({
        cycle_id: cycleId(of),
        month: of,
        closed_on: today,
        min_payout: parseCents(MIN_PAYOUT)!,
        gross_up: GROSS_UP,
        incomplete: missing,
      });
      return [to(cycle.at(of), closed), schedule(totalMonth, of, now)];
    });
    return undefined;
  },
});
