import { day, month } from "@tributary/contracts/dates";
import { CycleClosed, CycleClosing, CycleOpened } from "@tributary/contracts/events/billing";
import { readModel } from "@tributary/runtime/read-models/read-model";
import { when } from "@tributary/runtime/stream";
import { z } from "zod";

const Cycle = z.object({
  cycle_id: z.string(),
  month,
  period_start: day,
  period_end: day,
  status: z.enum(["open", "closing", "closed"]),
  closed_on: day.nullable(),
  incomplete: z.array(z.object({ brand_id: z.string(), reason: z.string() })),
});

/** The months there are. */
export const cycles = readModel("cycles", Cycle, {
  on: [
    when(CycleOpened, (_, { data: { cycle_id, month, period_start, period_end } }) => ({
      ...{ cycle_id, month, period_start, period_end },
      status: "open",
      closed_on: null,
      incomplete: [],
    })),
    when(CycleClosing, (cycle) => cycle && { ...cycle, status: "closing" }),
    when(
      CycleClosed,
      (cycle, { data: { closed_on, incomplete } }) =>
        cycle && { ...cycle, status: "closed", closed_on, incomplete },
    ),
  ],
  key: ({ data: { cycle_id } }) => cycle_id,
  indexes: [["month"]],
});
