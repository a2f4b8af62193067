import { randomUUID } from "node:crypto";
import { expect, onTestFinished, test } from "vitest";
import { Notifier } from "../src/log/notifier.ts";
import { PostgresLog } from "../src/log/postgres-log.ts";
import { Tail } from "../src/log/tail.ts";
import { logger } from "../src/logs.ts";
import { SetClock } from "../src/ports/clock.ts";
import { zero } from "../src/store/partition.ts";
import { openPool } from "../src/store/pool.ts";
import { Writer } from "../src/store/writer.ts";
import { databaseFor } from "./database.ts";
import { keepsItsWord, type OpenedLog } from "./suites/log.ts";
import { standsStorms } from "./suites/storm.ts";
import { CrateFilled } from "./toys/crates.ts";

const silent = logger("log", "silent");

const prepared = () => databaseFor({ name: "program", logs: ["program"], tables: [] });

function opened(database: Awaited<ReturnType<typeof prepared>>, tells = true): OpenedLog {
  const pool = openPool(database.url, { max: 3, log: silent });
  onTestFinished(() => pool.end());
  const notifier = new Notifier(pool, "program", silent);
  const clock = new SetClock("2026-01-05T12:00:00Z");
  const writer = new Writer(pool, "program", clock, (heads) => {
    if (tells) notifier.tell(heads);
  });
  return {
    log: new PostgresLog("program", database.readerUrl, silent),
    record: async (stream, events) => {
      const stored = events.map(({ type, json }) => ({
        id: randomUUID(),
        type,
        data: JSON.stringify(json),
        meta: JSON.stringify({ correlationid: "recorded" }),
      }));
      const verdict = await writer.append({ append: [{ stream, expect: -1, events: stored }] });
      expect(verdict.refused).toBe(null);
    },
  };
}

keepsItsWord("the events table as a log", async () => opened(await prepared()));

standsStorms("the store and log in PostgreSQL", async () => {
  const database = await prepared();
  return { database, log: "program", reader: { kind: "postgres", url: database.readerUrl } };
});

const crate = CrateFilled({ crate: "c", yard: "y", count: 1 });

test("a lost notification costs one poll, no more", async () => {
  const { log, record } = opened(await prepared(), false);
  const tail = new Tail(log, silent);
  await tail.start();
  onTestFinished(() => tail.close());
  const ends = new AbortController();
  await record("crate/1", [crate]);
  const before = performance.now();
  await tail.beyond(zero(), ends.signal);
  expect(performance.now() - before).toBeLessThan(4000);
  expect(await tail.read(zero())).toMatchObject([{ sequence: 1 }]);
});

test("a listener whose connection is cut listens again and says that something may have been missed", async () => {
  const database = await prepared();
  const { log, record } = opened(database);
  const tail = new Tail(log, silent);
  await tail.start();
  onTestFinished(() => tail.close());
  let resets = 0;
  tail.onReset(() => {
    resets++;
  });
  await database.sql(
    "select pg_terminate_backend(pid) from pg_stat_activity where query like 'listen%' and datname = current_database()",
  );
  await expect.poll(() => resets, { timeout: 10_000 }).toBe(1);
  await record("crate/1", [crate]);
  await tail.beyond(zero(), new AbortController().signal);
  expect(await tail.read(zero())).toMatchObject([{ sequence: 1 }]);
});
