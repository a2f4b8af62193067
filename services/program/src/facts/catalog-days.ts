import { type Day, day } from "@tributary/contracts/dates";
import { DayBegan } from "@tributary/contracts/events/day";
import { facts } from "@tributary/runtime/facts";
import { when } from "@tributary/runtime/stream";
import { z } from "zod";

const CatalogDay = z.object({ date: day });
type CatalogDay = z.infer<typeof CatalogDay>;

/** By partition of catalog's log: the last day heard to have begun there. */
export const catalogDays = facts("catalog-days", CatalogDay, {
  on: [when(DayBegan.catalog, (row, { data: { date } }) => (row && row.date >= date ? row : { date }))],
  key: ({ partition }) => String(partition),
});

const PARTITIONS = 16;
/** All of them, to be read together. */
export const everyCatalogDay = Array.from({ length: PARTITIONS }, (_, partition) =>
  catalogDays.at(String(partition)),
);

/** Whether every percent that is in force on the day has been heard: catalog began the day in all its partitions. */
export const heardAllOf = (rows: readonly (CatalogDay | null)[], on: Day): boolean =>
  rows.every((row) => row !== null && row.date >= on);
