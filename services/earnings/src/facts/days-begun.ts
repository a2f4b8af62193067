import { type Day, day } from "@tributary/contracts/dates";
import { z } from "zod";

const PARTITIONS = 16;

/** The latest day that began in each partition of a service's log, by the number of the partition. */
export const DaysBegun = z.object({ by_partition: z.record(z.string(), day) });
export type DaysBegun = z.infer<typeof DaysBegun>;

/** A day began in one partition. */
export const began = (
  begun: DaysBegun | undefined,
  { partition, data: { date } }: { partition: number; data: { date: Day } },
): DaysBegun => {
  const known = begun?.by_partition[partition];
  const latest = known && known > date ? known : date;
  return { by_partition: { ...begun?.by_partition, [partition]: latest } };
};

/**
 * Whether everything a service decided before this day has been heard: the day, or a later one, has begun in every partition
 * of its log. Back-filled dates lie before the first day that ever began, so a later one will do.
 */
export function hasBegun(begun: DaysBegun | undefined, on: Day): boolean {
  const days = Object.values(begun?.by_partition ?? {});
  return days.length === PARTITIONS && days.every((latest) => latest >= on);
}
