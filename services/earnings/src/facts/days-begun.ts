import { type Day, day } from "@tributary/contracts/dates";
import { DayBegan } from "@tributary/contracts/events/day";
import { facts } from "@tributary/runtime/facts";
import { when } from "@tributary/runtime/stream";
import { z } from "zod";

const PARTITIONS = 16;

/** The latest day that began in each partition of a service's log, by the number of the partition. */
export const DaysBegun = z.object({ by_partition: z.record(z.string(), day) });
export type DaysBegun = z.infer<typeof DaysBegun>;

/** The services whose dated decisions earnings depend on. */
export const DATED_SOURCES = ["catalog", "program"] as const;

const began = (
  begun: DaysBegun | null,
  { partition, data }: { partition: number; data: { date: Day } },
): DaysBegun => {
  const known = begun?.by_partition[partition];
  return {
    by_partition: { ...begun?.by_partition, [partition]: known && known > data.date ? known : data.date },
  };
};

/** How far the calendar of catalog and program has been heard, by source. */
export const daysBegun = facts("days_begun", DaysBegun, {
  on: [when(DayBegan.catalog, began), when(DayBegan.program, began)],
  key: ({ source }) => source,
});

/**
 * Whether everything a service decided before this day has been heard: the day, or a later one, has begun in every partition
 * of its log. Back-filled dates lie before the first day that ever began, so a later one will do.
 */
export function hasBegun(begun: DaysBegun | null, on: Day): boolean {
  const days = Object.values(begun?.by_partition ?? {});
  return days.length === PARTITIONS && days.every((latest) => latest >= on);
}
