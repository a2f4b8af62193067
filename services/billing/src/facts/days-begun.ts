import { day } from "@tributary/contracts/dates";
import { DayBegan } from "@tributary/contracts/events/day";
import { facts } from "@tributary/runtime/facts";
import { when } from "@tributary/runtime/stream";
import { z } from "zod";

/** The latest day that has begun in each partition of program's log: all it decided on the days before has been heard. */
export const daysBegun = facts("days-begun", z.object({ date: day }), {
  on: [
    when(DayBegan.program, (row, { data: { date } }) => ({ date: row && row.date > date ? row.date : date })),
  ],
  key: ({ partition }) => `${partition}`,
});

/** All 16 partitions. */
export const everyPartition = Array.from({ length: 16 }, (_, partition) => daysBegun.at(`${partition}`));
