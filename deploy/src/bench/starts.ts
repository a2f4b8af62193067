import { join } from "node:path";
import pg from "pg";
import { removeDirectory, throwAwayDirectory } from "../demo/throw-away.ts";
import { startPostgres } from "../postgres/start-postgres.ts";
import { helper } from "./helper-process.ts";
import { median } from "./rounds.ts";
import { atMost, type Figure } from "./table.ts";

const ROUNDS = 3;
const DATABASES = 8;
const DAYS = 75;
const MEGABYTE = 1024 * 1024;

interface Said {
  readonly milliseconds: number;
  readonly rss: number;
}

/** Starts of the whole system, on no data and on data of its own, beside what PostgreSQL alone costs; and what the process weighs then. */
export async function startFigures(): Promise<Figure[]> {
  const bare: number[] = [];
  const first: Said[] = [];
  const second: Said[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const directory = throwAwayDirectory();
    try {
      bare.push(await bareStart(join(directory, "bare")));
      first.push(await said("start-once.ts", directory));
      second.push(await said("start-once.ts", directory));
    } finally {
      removeDirectory(directory);
    }
  }
  const start = (id: string, name: string, starts: readonly Said[], most: number): Figure => ({
    id,
    name,
    value: median(starts.map(({ milliseconds }) => milliseconds)) / 1000,
    unit: "s",
    peer: { name: `initdb, start, ${DATABASES} databases`, value: median(bare) / 1000 },
    ratio: median(starts.map(({ milliseconds }, round) => milliseconds / bare[round]!)),
    aim: atMost(most),
  });
  return [
    start("start-first", "first start, fresh data", first, 5),
    start("start-second", "second start", second, 3),
    {
      id: "memory-start",
      name: "memory of the one process after start",
      value: median(second.map(({ rss }) => rss)) / MEGABYTE,
      unit: "MB",
    },
  ];
}

/** What the process weighs when the whole demo has been played in it. */
export async function demoFigures(): Promise<Figure[]> {
  const { rss } = await said("play-once.ts", String(DAYS));
  return [
    {
      id: "memory-demo",
      name: `memory of the one process after the demo's ${DAYS} days`,
      value: rss / MEGABYTE,
      unit: "MB",
    },
  ];
}

async function said(entry: string, argument: string): Promise<Said> {
  const process = helper(entry, argument);
  const line = await process.next();
  await process.end();
  return JSON.parse(line);
}

/** In milliseconds. */
async function bareStart(directory: string): Promise<number> {
  const begun = performance.now();
  const postgres = await startPostgres({ dataDir: join(directory, "postgres"), name: "postgres" });
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  for (let index = 0; index < DATABASES; index++) await client.query(`create database bare${index}`);
  const lasted = performance.now() - begun;
  await client.end();
  await postgres.stop();
  return lasted;
}
