import { parseArgs } from "node:util";
import { SMALLEST } from "./demo/cast.ts";
import { closingTable } from "./demo/closing-table.ts";
import { type DemoOptions, runDemo } from "./demo/run-demo.ts";
import { telling } from "./demo/telling.ts";

const USAGE = "usage: npm run demo -- [--seed N] [--brands B] [--creators C] [--days D] [--json]";

class Misused extends Error {}

function whole(name: string, text: string, least: number): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < least)
    throw new Misused(`--${name} must be a whole number of at least ${least}, not ${text}`);
  return value;
}

function asked(args: readonly string[]): DemoOptions & { json: boolean } {
  let values: { seed: string; brands: string; creators: string; days: string; json: boolean };
  try {
    ({ values } = parseArgs({
      args: [...args],
      options: {
        seed: { type: "string", default: "1" },
        brands: { type: "string", default: "3" },
        creators: { type: "string", default: "6" },
        days: { type: "string", default: "75" },
        json: { type: "boolean", default: false },
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

/** `npm run demo`: 75 virtual days of the money loop, told on the screen, ending in reconciled totals. */
async function main(args: readonly string[]): Promise<number> {
  const { json, ...options } = asked(args);
  const begun = performance.now();
  const told = telling((text) => void (json || process.stdout.write(text)));
  const played = await runDemo(options, told, interruption(), (over) => over.compare());
  const differs = played.totals.differences !== "0.0000";
  if (json) process.stdout.write(`${JSON.stringify({ ...options, ...played.totals }, null, 2)}\n`);
  else for (const line of closingTable(played)) told.say(line);
  told.say(`${options.days} days in ${((performance.now() - begun) / 1000).toFixed(1)} s`);
  return differs ? 1 : 0;
}

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    const misused = error instanceof Misused;
    const text =
      error instanceof Error ? (misused ? `${error.message}\n${USAGE}` : error.stack) : String(error);
    process.stderr.write(`${text}\n`);
    process.exitCode = misused ? 2 : 1;
  },
);
