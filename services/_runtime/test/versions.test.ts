import { randomUUID } from "node:crypto";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { signCaller } from "../src/http/internal-token.ts";
import { Notifier } from "../src/log/notifier.ts";
import { logger } from "../src/logs.ts";
import { realClock } from "../src/ports/clock.ts";
import { openPool } from "../src/store/pool.ts";
import { Writer } from "../src/store/writer.ts";
import { as } from "../src/testing/harness.ts";
import { databaseFor } from "./database.ts";
import { Program, type Said } from "./program.ts";
import type { Serving } from "./programs/serve.ts";
import { CupPlaced, ShelfOpened, toy } from "./toy.ts";

const KEY = "key";
const silent = logger("versions", "silent");

test("a read model's new version builds while the old one answers, both go on side by side, and the old one is dropped a day later", {
  timeout: 60_000,
}, async () => {
  const database = await databaseFor(toy);
  const pool = openPool(database.url, { max: 2, log: silent });
  onTestFinished(() => pool.end());
  const notifier = new Notifier(pool, "program", silent);
  const writer = new Writer(pool, "program", realClock, (heads) => notifier.tell(heads));
  const record = async (events: { type: string; json: unknown }[]) => {
    const stored = events.map(({ type, json }) => ({
      id: randomUUID(),
      type,
      data: JSON.stringify(json),
      meta: JSON.stringify({ correlationid: "c" }),
    }));
    const verdict = await writer.append({ append: [{ stream: "shelf/s1", expect: -1, events: stored }] });
    const [place] = verdict.refused === null ? verdict.appended : [];
    return `program=${place!.partition}:${place!.first + place!.count}`;
  };
  const cup = (count: number) => CupPlaced({ shelf_id: "s1", brand_id: "b1", colour: "red", count });
  const serve = (service: string) =>
    Program.start("serve", {
      service,
      now: "2026-01-05T12:00:00Z",
      key: KEY,
      urls: { program: database },
    } satisfies Serving);
  const ready = async (program: Program) =>
    (await program.hears<Said & { address: string }>("ready")).address;
  const shownAt = async (address: string, seen: string) => {
    const answer = await fetch(`${address}/api/cups`, {
      headers: { "x-tributary-caller": signCaller(KEY, "program", as.brand("b1")), "x-after": seen },
    });
    expect(answer.headers.get("x-read-model")).toBe(null);
    return ((await answer.json()) as { items: unknown[] }).items[0];
  };

  await record([ShelfOpened({ shelf_id: "s1", brand_id: "b1", label: "top" }), cup(2)]);
  const old = await ready(await serve("pricedShelves"));
  expect(await shownAt(old, await record([cup(5)]))).toEqual({ shelf_id: "s1", brand_id: "b1", cups: 7 });

  const building = new pg.Client({ connectionString: database.url });
  await building.connect();
  await building.query("select pg_advisory_lock(7200000, hashtext('cups@2'))");
  const program = await serve("pricedShelvesAnew");
  await expect
    .poll(() => database.sql("select 1 from pg_locks where locktype = 'advisory' and not granted"), {
      timeout: 10_000,
    })
    .toHaveLength(1);
  expect(await shownAt(old, await record([cup(1)]))).toEqual({ shelf_id: "s1", brand_id: "b1", cups: 8 });
  await building.end();
  const anew = await ready(program);
  const seen = await record([cup(4)]);
  expect(await shownAt(anew, seen)).toEqual({ shelf_id: "s1", brand_id: "b1", cups: 12, largest: 5 });
  expect(await shownAt(old, seen)).toEqual({ shelf_id: "s1", brand_id: "b1", cups: 12 });

  const kept = async () =>
    (
      await database.sql<{ name: string }>(
        "select tablename as name from pg_tables where schemaname = 'documents' order by 1",
      )
    ).map(({ name }) => name);
  expect(await kept()).toEqual(["cups_v1", "cups_v2"]);
  await database.sql("update runtime.read_models set superseded_at = superseded_at - interval '25 hours'");
  await ready(await serve("pricedShelvesAnew"));
  expect(await kept()).toEqual(["cups_v2"]);
  expect(await database.sql("select distinct reader from runtime.checkpoints")).toEqual([
    { reader: "cups@2" },
  ]);
});
