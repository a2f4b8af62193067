import {
  addDays,
  addMonths,
  type Day,
  firstDay,
  instantOf,
  lastDay,
  type Month,
} from "@tributary/contracts/dates";

export type CycleStatus = "none" | "open" | "closed";

/** The day a month closes on: the setting's day of the next month, or that month's last if it is shorter. */
export function closeDay(month: Month, setting: number): Day {
  const next = addMonths(month, 1);
  const wanted = addDays(firstDay(next), setting - 1);
  return wanted < lastDay(next) ? wanted : lastDay(next);
}

/** The instant of the close: 00:05 of that day on the marketplace's clocks. */
export const closesAt = (month: Month, setting: number): string =>
  instantOf(closeDay(month, setting), "00:05");

/**
 * The month an amount counts in: its date's own while that cycle is open, otherwise the earliest open one (scenario rules,
 * 6). Null while its own month is still to be opened.
 */
export function monthToBook(own: Month, cycles: ReadonlyMap<Month, CycleStatus>): Month | null {
  if (cycles.get(own) === "open") return own;
  const known = [...cycles].filter(([, status]) => status !== "none").map(([month]) => month);
  const latest = known.reduce((a, b) => (a > b ? a : b), "" as Month);
  if (own > latest) return null;
  const open = known.filter((month) => cycles.get(month) === "open").sort();
  return open[0] ?? null;
}
