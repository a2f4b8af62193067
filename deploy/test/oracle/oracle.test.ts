import { expect, test } from "vitest";
import { readScenario } from "../../src/scenario/read-scenario.ts";
import { oracle } from "./oracle.ts";
import { PureRun } from "./pure-folds.ts";
import { randomScenario, type Size } from "./random-scenario.ts";

const LARGE: Size = {
  days: [20, 200],
  ...{ brands: 3, creators: 4, events: 45, reports: 60 },
  starts: ["2026-01-01", "2025-10-20", "2025-12-15", "2026-01-31", "2027-11-30", "2026-02-27", "2026-07-03"],
  close_days: [1, 3, 15, 28, 30, 31],
};
const SCENARIOS = 200;
const seeds = Array.from({ length: SCENARIOS }, (_, index) => index + 1);

const purely = (seed: number) => {
  const scenario = randomScenario(seed, LARGE);
  return {
    ours: new PureRun(readScenario(JSON.stringify(scenario))).play(),
    theirs: oracle(scenario),
  };
};

test("the product's own deciders and an oracle that knows nothing of them agree on 200 random scenarios", () => {
  for (const seed of seeds) {
    const { ours, theirs } = purely(seed);
    expect(ours, `scenario ${seed}`).toEqual(theirs);
  }
});

test("the random scenarios meet every case that the rules distinguish", () => {
  const results = seeds.map((seed) => purely(seed).theirs);
  const lines = results.flatMap(({ cycles }) => cycles.flatMap((cycle) => cycle.lines));
  const all = <T>(values: T[]) => [...new Set(values)].sort();
  expect(all(results.flatMap(({ cycles }) => cycles.map(({ status }) => status)))).toEqual([
    "charging",
    "closed",
    "partially_settled",
    "settled",
  ]);
  expect(all(lines.map((line) => line.carried_reason ?? "-"))).toEqual([
    "-",
    "below_minimum",
    "negative",
    "no_payment_method",
    "no_payout_method",
  ]);
  expect(all(lines.map((line) => line.charge_status ?? "-"))).toEqual([
    "-",
    "failed",
    "past_due",
    "processing",
    "succeeded",
  ]);
  for (const part of ["commission", "referral", "adjustments", "carried_in"])
    expect(lines.filter((line) => line[part] !== "0.0000").length, part).toBeGreaterThan(20);
  expect(results.filter(({ review }) => review.length > 0).length).toBeGreaterThan(5);
  expect(results.filter(({ platform_charges }) => platform_charges.length > 0).length).toBeGreaterThan(20);
  expect(
    results.filter(({ open }) => new Set(open.map(({ month }) => month)).size === 2).length,
  ).toBeGreaterThan(3);
  const small = lines.filter((line) => line.charged !== "0.00" && Number(line.charged) < 5);
  expect(small.length, "charges for which a minimum was waived, or none was set").toBeGreaterThan(5);
});
