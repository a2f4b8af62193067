import { addMonths, firstDay, type Month } from "@tributary/contracts/dates";
import { expect, test } from "vitest";
import { type CycleStatus, closeDay, closesAt, monthToBook } from "../src/cycle-months.ts";

const m = (text: string) => text as Month;
const cycles = (of: Record<string, CycleStatus>) => new Map(Object.entries(of)) as Map<Month, CycleStatus>;

test("a month closes on the set day of the next, or on that month's last", () => {
  expect(closeDay(m("2026-01"), 3)).toBe("2026-02-03");
  expect(closeDay(m("2026-01"), 31)).toBe("2026-02-28");
  expect(closeDay(m("2026-12"), 1)).toBe("2027-01-01");
  expect(closesAt(m("2026-01"), 3)).toBe("2026-02-03T08:05:00.000Z");
  expect(closesAt(m("2026-02"), 31)).toBe("2026-03-31T07:05:00.000Z");
});

test("an amount counts in its date's month while that is open", () => {
  const both = cycles({ "2026-01": "open", "2026-02": "open" });
  expect(monthToBook(m("2026-01"), both)).toBe("2026-01");
  expect(monthToBook(m("2026-02"), both)).toBe("2026-02");
});

test("an amount whose month is closed, or never was, goes to the earliest open one", () => {
  const later = cycles({ "2026-01": "closed", "2026-02": "open", "2026-03": "open" });
  expect(monthToBook(m("2026-01"), later)).toBe("2026-02");
  expect(monthToBook(m("2025-11"), later)).toBe("2026-02");
});

test("an amount of a month that is still to be opened waits, and so does any when no month is open", () => {
  expect(monthToBook(m("2026-02"), cycles({ "2026-01": "open", "2026-02": "none" }))).toBeNull();
  expect(monthToBook(m("2026-01"), cycles({}))).toBeNull();
  expect(monthToBook(m("2026-01"), cycles({ "2026-01": "closed" }))).toBeNull();
});

test("from the first to the close two cycles are open, and never none", () => {
  for (let n = 0, month = m("2026-01"); n < 14; n++, month = addMonths(month, 1)) {
    expect(closeDay(month, 3) > firstDay(addMonths(month, 1))).toBe(true);
  }
});
