import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { databaseOf } from "@tributary/runtime/store/migrate";
import pg from "pg";
import { startPostgres } from "./postgres/start-postgres.ts";
import { listeners } from "./services.ts";
import { tributaryDir } from "./state/checkout.ts";
import { linesOf } from "./verify/report.ts";
import { verify } from "./verify/verify.ts";

const USAGE = `usage: npm run verify -- [--data DIR] [--seed N] [--json]
  --data DIR   a data directory, at work or stopped (default: .tributary)
  --seed N     draws the order in which read models are replayed (default: 1)`;

class Misused extends Error {}

interface Asked {
  readonly directory: string;
  readonly seed: number;
  readonly json: boolean;
}

function asked(args: readonly string[]): Asked {
  let values: { data?: string; seed: string; json: boolean };
  try {
    ({ values } = parseArgs({
      args: [...args],
      options: {
        data: { type: "string" },
        seed: { type: "string", default: "1" },
        json: { type: "boolean", default: false },
      },
    }));
  } catch (error) {
    throw new Misused(error instanceof Error ? error.message : String(error));
  }
  const seed = Number(values.seed);
  if (!Number.isSafeInteger(seed) || seed < 0)
    throw new Misused(`--seed must be a whole number, not ${values.seed}`);
  const directory = values.data ? resolve(values.data) : tributaryDir();
  if (!existsSync(join(directory, "postgres")))
    throw new Misused(`${directory} holds no data: there is no ${join(directory, "postgres")}`);
  return { directory, seed, json: values.json };
}

/** A directory whose first start was cut short has not got all databases. */
async function mustBeComplete(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ datname: string }>("select datname from pg_database");
    const there = new Set(rows.map(({ datname }) => datname));
    const missing = listeners.map(({ name }) => databaseOf(name)).filter((name) => !there.has(name));
    if (missing.length > 0) throw new Misused(`the data directory has no database ${missing.join(", ")}`);
  } finally {
    await client.end();
  }
}

/** `npm run verify`: the invariants over a data directory, at work or stopped. A stopped one is stopped again afterwards. */
async function main(args: readonly string[]): Promise<number> {
  const { directory, seed, json } = asked(args);
  const postgres = await startPostgres({ dataDir: join(directory, "postgres"), name: "postgres" });
  try {
    await mustBeComplete(postgres.url);
    const verdicts = await verify({
      seed,
      addressOf: (database) => Object.assign(new URL(postgres.url), { pathname: `/${database}` }).href,
      told: (verdict) => void (json || process.stdout.write(`${linesOf(verdict).join("\n")}\n`)),
    });
    const holds = verdicts.every((verdict) => verdict.holds);
    if (json) process.stdout.write(`${JSON.stringify({ directory, seed, holds, verdicts }, null, 2)}\n`);
    return holds ? 0 : 1;
  } finally {
    if (!postgres.adopted) await postgres.stop();
  }
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
