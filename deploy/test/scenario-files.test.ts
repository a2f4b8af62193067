import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readScenario } from "../src/scenario/read-scenario.ts";
import { oracle } from "./oracle/oracle.ts";
import { PureRun } from "./oracle/pure-folds.ts";

const folder = new URL("../scenarios/", import.meta.url);
const read = (file: string): string => readFileSync(new URL(file, folder), "utf8");
const names = readdirSync(folder)
  .filter((file) => file.endsWith(".json") && !file.endsWith(".result.json"))
  .map((file) => file.slice(0, -".json".length));

test("there is a scenario for every rule from the day to past due, each with its arithmetic beside it", () => {
  for (let rule = 1; rule <= 9; rule++)
    expect(names.some((name) => name.startsWith(`rule-${rule}-`))).toBe(true);
  const headings = [...read("README.md").matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
  expect(headings.toSorted()).toEqual(names.toSorted());
});

for (const name of names)
  test(`${name} comes to what is written beside it, by the deciders and by the oracle`, () => {
    const expected = JSON.parse(read(`${name}.result.json`));
    expect(oracle(JSON.parse(read(`${name}.json`)))).toEqual(expected);
    expect(new PureRun(readScenario(read(`${name}.json`))).play()).toEqual(expected);
  });
