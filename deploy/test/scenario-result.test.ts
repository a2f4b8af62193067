import { asDay } from "@tributary/contracts/dates";
import { BillingResult, type StatementLine } from "@tributary/contracts/http/billing";
import { expect, test } from "vitest";
import { Person } from "../src/driver/person.ts";
import { OnStage } from "../src/scenario/on-stage.ts";
import { resultOf } from "../src/scenario/result.ts";
import { leastWholeCents, settingsOf } from "../src/scenario/run-scenario.ts";

const stage = new OnStage();
for (const [index, key] of ["acme", "Zoo", "b_"].entries()) {
  const person = new Person("http://127.0.0.1", `${key}@people.example`, "secret");
  const id = `b${index}`;
  stage.brands.set(key, { person, id, account: key, program_id: "p", products: new Map() });
  stage.creators.set(key, { person, id: `c${index}`, account: key });
}

const line = (month: string, brand_id: string, creator_id: string): StatementLine => ({
  ...{ statement_id: "s", cycle_id: "c", month: month as StatementLine["month"], brand_id, creator_id },
  ...{ commission: "30.1250", referral: "0.0000", adjustments: "0.0000", carried_in: "0.0000" },
  ...{ net: "30.1250", rounding: "0.0050", charged: "30.13", carried_out: "-0.0050", carried_reason: null },
  ...{
    issued: true,
    rail: "stripe",
    charge_id: "x",
    charge_status: "succeeded",
    gross: "31.34",
    paid: "30.13",
  },
});
const cycle = (month: string, ...of: [brand: string, creator: string][]) => ({
  ...{ month, status: "settled" },
  lines: of.map(([brand, creator]) => line(month, brand, creator)),
});
const result = (
  changes: Partial<Record<keyof BillingResult, unknown>>,
  review: Parameters<typeof resultOf>[1] = [],
) =>
  resultOf(
    BillingResult.parse({ cycles: [], platform_charges: [], open: [], ...changes }),
    review,
    "0.0000",
    stage,
    asDay("2026-01-31"),
  );

test("a line says what the scenario specification shows, by the scenario's own names, and nothing else", () => {
  expect(result({ cycles: [cycle("2026-01", ["b0", "c1"])] }).cycles).toEqual([
    {
      month: "2026-01",
      status: "settled",
      lines: [
        {
          ...{
            brand: "acme",
            creator: "Zoo",
            commission: "30.1250",
            referral: "0.0000",
            adjustments: "0.0000",
          },
          ...{ carried_in: "0.0000", net: "30.1250", rounding: "0.0050", charged: "30.13" },
          ...{ carried_out: "-0.0050", carried_reason: null, rail: "stripe", charge_status: "succeeded" },
          ...{ gross: "31.34", paid: "30.13" },
        },
      ],
    },
  ]);
});

test("an open line has what was booked and carried so far, and no net", () => {
  expect(result({ open: [line("2026-02", "b0", "c0")] }).open).toEqual([
    {
      ...{ month: "2026-02", brand: "acme", creator: "acme", commission: "30.1250", referral: "0.0000" },
      ...{ adjustments: "0.0000", carried_in: "0.0000" },
    },
  ]);
});

test("months before that of the start are not in the result; one without lines is", () => {
  const { cycles } = result({ cycles: [cycle("2025-12"), cycle("2026-02"), cycle("2026-01")] });
  expect(cycles.map(({ month }) => month)).toEqual(["2026-01", "2026-02"]);
});

test("lines are sorted by brand and creator, by code point: capitals before small letters", () => {
  const { cycles } = result({
    cycles: [cycle("2026-01", ["b0", "c2"], ["b2", "c0"], ["b0", "c1"], ["b1", "c0"])],
  });
  expect(cycles[0]?.lines.map(({ brand, creator }) => `${brand} ${creator}`)).toEqual([
    "Zoo acme",
    "acme Zoo",
    "acme b_",
    "b_ acme",
  ]);
});

test("the review is sorted by link and date", () => {
  const entry = (link: string, date: string) => ({ link, date: asDay(date), delta_base: "-5.00" });
  const [a, b, c] = [entry("L", "2026-02-01"), entry("l", "2026-01-01"), entry("l", "2026-01-02")];
  expect(result({}, [c, a, b]).review).toEqual([a, b, c]);
});

test("an id that nobody in the scenario has is a defect, and said to be one", () => {
  expect(() => result({ cycles: [cycle("2026-01", ["b9", "c0"])] })).toThrow("b9");
});

test("below a minimum of 25.004 dollars are 25.00, but not 25.01: the minimum is the next whole cent", () => {
  const written = ["10.00", "25.004", "25.0000", "5.5", "0", "00.010", "0.000001", "99.999"];
  const least = ["10.00", "25.01", "25.00", "5.50", "0.00", "0.01", "0.01", "100.00"];
  expect(written.map(leastWholeCents)).toEqual(least);
});

test("the product runs under the scenario's policy, and its sync reads every day of the run", () => {
  expect(settingsOf({ days: 75, settings: { close_day: 31, min_payout: "5", gross_up: "all" } })).toEqual({
    ...{ CLOSE_DAY: "31", MIN_PAYOUT: "5.00", GROSS_UP: "all", SYNC_HOURLY: "off" },
    ...{ SYNC_WINDOW_DAYS: "75", PERFORMANCE_HISTORY_DAYS: "75" },
  });
});
