import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { SMALLEST } from "./demo/cast.ts";
import { closingTable } from "./demo/closing-table.ts";
import { type DemoOptions, runDemo } from "./demo/run-demo.ts";
import { telling } from "./demo/telling.ts";
import { readScenario } from "./scenario/read-scenario.ts";
import { runScenario } from "./scenario/run-scenario.ts";
import { InvalidScenario, type Scenario } from "./scenario/scenario.ts";

const USAGE =
  "usage: npm run demo -- [--seed N] [--brands B] [--creators C] [--days D] [--json]\n" +
  "       npm run demo -- --scenario FILE --json";

class Misused extends Error {}

function whole(name: string, text: string, least: number): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < least)
    throw new Misused(`--${name} must be a whole number of at least ${least}, not ${text}`);
  return value;
}

interface Asked extends DemoOptions {
  readonly json: boolean;
  /** The file of a scenario, which is then played in place of the drawn story. */
  readonly scenario: string | null;
}

function asked(args: readonly string[]): Asked {
  let values: {
    seed: string;
    brands: string;
    creators: string;
    days: string;
    json: boolean;
    scenario?: string;
  };
  try {
    ({ values } = parseArgs({
      args: [...args],
      options: {
        seed: { type: "string", default: "1" },
        brands: { type: "string", default: "3" },
        creators: { type: "string", default: "6" },
        days: { type: "string", default: "75" },
        json: { type: "boolean", default: false },
        scenario: { type: "string" },
      },
    }));
  } catch (error) {
    throw new Misused(error instanceof Error ? error.message : String(error));
  }
  return {
    seed: whole("seed", values.seed, 0),
    brands: whole("brands", values.brands, SMALLEST.brands),
    creators: whole("creators", values.creators, SMALLEST.creators),
    days: whole("days", values.days, 1),
    json: values.json,
    scenario: values.scenario ?? null,
  };
}

class Interrupted extends Error {}

/** Ctrl-C ends the run between two days, with everything stopped and removed; once more ends it at once. */
function interruption(): AbortSignal {
  const interrupted = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.on(signal, () => {
      if (interrupted.signal.aborted) process.exit(130);
      interrupted.abort(new Interrupted("interrupted"));
    });
  return interrupted.signal;
}

/** A file that cannot be read is no more a scenario than one that breaks its rules. */
function scenarioIn(file: string): Scenario {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    throw new InvalidScenario(error instanceof Error ? error.message : String(error));
  }
  return readScenario(text);
}

/** `npm run demo`: 75 virtual days of the money loop, told on the screen, ending in reconciled totals. */
async function main(args: readonly string[]): Promise<number> {
  const { json, scenario, ...options } = asked(args);
  if (scenario !== null) {
    const result = await runScenario(scenarioIn(scenario));
    process.stdout.write(`${JSON.stringify(result, null, 2)}\n`);
    return 0;
  }
  const begun = performance.now();
  const told = telling((text) => void (json || process.stdout.write(text)));
  const played = await runDemo(options, told, interruption(), (over) => over.compare());
  const differs = played.totals.differences !== "0.0000";
  if (json) process.stdout.write(`${JSON.stringify({ ...options, ...played.totals }, null, 2)}\n`);
  else for (const line of closingTable(played)) told.say(line);
  told.say(`${options.days} days in ${((performance.now() - begun) / 1000).toFixed(1)} s`);
  return differs ? 1 : 0;
}

/** What is said of a run that did not come to its end, and the exit code. */
function endOf(error: unknown): [text: string, code: number] {
  if (error instanceof Misused) return [`${error.message}\n${USAGE}`, 2];
  if (error instanceof InvalidScenario) return [error.message, 2];
  if (error instanceof Interrupted) return ["Interrupted; nothing is left of this run.", 130];
  return [error instanceof Error ? `${error.stack}` : String(error), 1];
}

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    const [text, code] = endOf(error);
    process.stderr.write(`${text}\n`);
    process.exitCode = code;
  },
);
