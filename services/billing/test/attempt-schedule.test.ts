import { asDay } from "@tributary/contracts/dates";
import { expect, test } from "vitest";
import { nextAttemptAt } from "../src/attempt-schedule.ts";

const closed = asDay("2026-02-03");

test("a declined card is tried again on days 3, 5 and 7 at 03:00 of the marketplace, then never", () => {
  const at = "2026-02-03T08:05:00.000Z";
  expect([1, 2, 3, 4].map((attempt) => nextAttemptAt(attempt, closed, at))).toEqual([
    "2026-02-06T11:00:00.000Z",
    "2026-02-08T11:00:00.000Z",
    "2026-02-10T11:00:00.000Z",
    null,
  ]);
});

test("days are counted by the calendar across the change of clocks", () => {
  expect(nextAttemptAt(2, asDay("2026-03-03"), "2026-03-06T11:00:00.000Z")).toBe("2026-03-08T10:00:00.000Z");
});

test("a bank debit that fails after the next attempt was due is tried again in the same minute", () => {
  const failed = "2026-02-07T11:00:00.000Z";
  expect(nextAttemptAt(1, closed, failed)).toBe(failed);
});
