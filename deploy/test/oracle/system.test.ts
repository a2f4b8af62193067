import { expect, test } from "vitest";
import { readScenario } from "../../src/scenario/read-scenario.ts";
import { runScenario } from "../../src/scenario/run-scenario.ts";
import { oracle } from "./oracle.ts";
import { randomScenario, type Size } from "./random-scenario.ts";

/** Short enough for the whole system: one close or two, the third day of a declined card, the fourth of a bank. */
const SMALL: Size = {
  days: [5, 14],
  ...{ brands: 2, creators: 3, events: 12, reports: 16 },
  starts: ["2026-01-26", "2026-01-29", "2025-12-28", "2026-10-25", "2026-02-27", "2026-07-30"],
  close_days: [1, 2, 3, 31],
};

for (let seed = 1; seed <= 10; seed++)
  test(`the whole system and the oracle agree on random scenario ${seed}`, async () => {
    const scenario = randomScenario(seed, SMALL);
    const result = await runScenario(readScenario(JSON.stringify(scenario)));
    expect(result, JSON.stringify(scenario)).toEqual(oracle(scenario));
  }, 300_000);
