import type { z } from "zod";
import { judge } from "./judge.ts";
import { InvalidScenario, Scenario } from "./scenario.ts";

const told = ({ path, message }: z.core.$ZodIssue): string =>
  path.length > 0 ? `${path.join(".")}: ${message}` : message;

/** Reads a scenario and fills in what was left out. Throws InvalidScenario when it is not a valid one. */
export function readScenario(text: string): Scenario {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new InvalidScenario(`this is no JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  const read = Scenario.safeParse(json);
  if (!read.success) throw new InvalidScenario(read.error.issues.map(told).join("; "));
  judge(read.data);
  return read.data;
}
