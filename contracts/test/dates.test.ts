import fc from "fast-check";
import { expect, test } from "vitest";
import {
  addDays,
  addMonths,
  asDay,
  type Day,
  day,
  dayAt,
  daysBetween,
  instantOf,
  lastDay,
  type Month,
} from "../src/dates.ts";

test("midnight of the marketplace follows its summer time", () => {
  expect(instantOf(asDay("2026-01-01"))).toBe("2026-01-01T08:00:00.000Z");
  expect(instantOf(asDay("2026-07-01"))).toBe("2026-07-01T07:00:00.000Z");
  expect(instantOf(asDay("2026-03-08"), "03:00")).toBe("2026-03-08T10:00:00.000Z");
  expect(instantOf(asDay("2026-03-08"), "02:30")).toBe("2026-03-08T10:00:00.000Z");
  expect(instantOf(asDay("2026-11-01"), "01:30")).toBe("2026-11-01T08:30:00.000Z");
});

test("every instant lies in exactly the day whose midnights enclose it", () => {
  const instants = fc.integer({ min: Date.UTC(2020, 0, 1), max: Date.UTC(2035, 0, 1) });
  fc.assert(
    fc.property(instants, (at) => {
      const day = dayAt(at);
      return Date.parse(instantOf(day)) <= at && at < Date.parse(instantOf(addDays(day, 1)));
    }),
  );
});

test("days are counted by the calendar, leap days included", () => {
  expect(addDays(asDay("2028-02-28"), 1)).toBe("2028-02-29");
  expect(daysBetween(asDay("2026-03-01"), asDay("2026-04-01"))).toBe(31);
  expect(lastDay("2026-02" as Month)).toBe("2026-02-28");
  expect(addMonths("2026-11" as Month, 3)).toBe("2027-02");
  expect(() => asDay("2026-02-30")).toThrow("is no date");
});

test("adding days and taking them away comes back to the same day", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 20000 }), fc.integer({ min: -4000, max: 4000 }), (offset, days) => {
      const start = addDays("2000-01-01" as Day, offset);
      return (
        addDays(addDays(start, days), -days) === start && daysBetween(start, addDays(start, days)) === days
      );
    }),
  );
});

test("a date is a day exactly when the calendar has it", () => {
  const two = fc.integer({ min: 0, max: 99 }).map((number) => String(number).padStart(2, "0"));
  const year = fc.integer({ min: 1600, max: 2800 }).map(String);
  fc.assert(
    fc.property(year, two, two, (yyyy, mm, dd) => {
      const text = `${yyyy}-${mm}-${dd}`;
      const at = new Date(`${text}T00:00:00Z`);
      const known = !Number.isNaN(at.getTime()) && at.toISOString().slice(0, 10) === text;
      return day.safeParse(text).success === known;
    }),
    { numRuns: 5000 },
  );
  for (const text of ["2026-1-01", "2026-01-01T00:00", "", "2100-02-29"])
    expect(day.safeParse(text).success).toBe(false);
  expect(day.safeParse("2000-02-29").success).toBe(true);
});
