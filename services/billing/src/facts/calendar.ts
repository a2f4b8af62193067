import { month } from "@tributary/contracts/dates";
import { CycleClosed, CycleOpened } from "@tributary/contracts/events/billing";
import { facts } from "@tributary/runtime/facts";
import { when } from "@tributary/runtime/stream";
import { z } from "zod";

const Calendar = z.object({ months: z.array(z.object({ month, status: z.enum(["open", "closed"]) })) });
type Calendar = z.infer<typeof Calendar>;

const put = (row: Calendar | null, of: Calendar["months"][number]): Calendar => ({
  months: [...(row?.months ?? []).filter(({ month }) => month !== of.month), of].sort((a, b) =>
    a.month < b.month ? -1 : 1,
  ),
});

/** Which months there are. It may lag, so it only says which cycles to read: those decide. */
export const calendar = facts("calendar", Calendar, {
  on: [
    when(CycleOpened, (row, { data: { month } }) => put(row, { month, status: "open" })),
    when(CycleClosed, (row, { data: { month } }) => put(row, { month, status: "closed" })),
  ],
  key: () => "months",
});

/** The one row. */
export const months = calendar.at("months");
