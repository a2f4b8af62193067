import { randomUUID } from "node:crypto";
import { eventsOf } from "@tributary/contracts/event";
import fc from "fast-check";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { act } from "../src/act.ts";
import { to } from "../src/decision.ts";
import { JobTable } from "../src/jobs/job-table.ts";
import { logger } from "../src/logs.ts";
import { type Clock, SetClock } from "../src/ports/clock.ts";
import { systemRandom } from "../src/ports/random.ts";
import { PARTITIONS, partitionOf } from "../src/store/partition.ts";
import { openPool } from "../src/store/pool.ts";
import { type Asked, Streams } from "../src/store/streams.ts";
import type { Append, Unit } from "../src/store/unit.ts";
import { Writer } from "../src/store/writer.ts";
import { stream, when } from "../src/stream.ts";
import { Turns } from "../src/turns.ts";
import { type Database, databaseFor } from "./database.ts";

const silent = logger("store", "silent");

const said = (stream: string, expected: number, text = "hello"): Append => ({
  stream,
  expect: expected,
  events: [
    {
      id: randomUUID(),
      type: "Said",
      data: JSON.stringify({ text }),
      meta: JSON.stringify({ correlationid: "c" }),
    },
  ],
});

async function store(): Promise<{
  database: Database;
  pool: pg.Pool;
  clock: SetClock;
  writer: () => Writer;
}> {
  const database = await databaseFor({ name: "program", logs: ["program"], tables: [] });
  const pool = openPool(database.url, { max: 6, log: silent });
  onTestFinished(() => pool.end());
  const clock = new SetClock("2026-01-05T12:00:00Z");
  return { database, pool, clock, writer: () => new Writer(pool, "program", clock, () => undefined) };
}

/** Asks for all of these while two calls are under way, so that they meet in one call of one writer. */
async function together(writer: Writer, units: readonly Unit[]) {
  const first = [said(`busy/${randomUUID()}`, 0), said(`busy/${randomUUID()}`, 0)].map((append) =>
    writer.append({ append: [append] }),
  );
  const asked = units.map((unit) => writer.append(unit));
  const settled = await Promise.allSettled(asked);
  await Promise.all(first);
  return settled.map((one) => (one.status === "rejected" ? "rejected" : one.value.refused));
}

test("a NUL or a lone surrogate in one unit is refused alone, and its neighbours stand", async () => {
  const { database, writer } = await store();
  const verdicts = await together(writer(), [
    { append: [said("good/1", 0)] },
    { append: [said("bad/1", 0, "a\u0000b")] },
    { append: [said("good/2", 0, "😀")] },
    { append: [said("bad/2", 0, "\ud83d")] },
    { append: [said("bad/\u0000", 0)] },
    { append: [said("good/3", 0)] },
  ]);
  expect(verdicts).toEqual([null, "rejected", null, "rejected", "rejected", null]);
  expect(
    await database.sql(
      "select stream from program.events where stream like 'good/%' or stream like 'bad/%' order by 1",
    ),
  ).toEqual([{ stream: "good/1" }, { stream: "good/2" }, { stream: "good/3" }]);
});

test("of two units that each append to what the other guards, one stands: neither decided on what the other changed", async () => {
  const { writer } = await store();
  const pair = [
    { append: [said("left/1", 0)], unchanged: [{ stream: "right/1", version: 0 }] },
    { append: [said("right/1", 0)], unchanged: [{ stream: "left/1", version: 0 }] },
  ];
  expect((await together(writer(), pair)).sort()).toEqual(["guard", null].sort());
  for (let round = 2; round < 12; round++) {
    const [left, right] = await Promise.all(
      pair.map(({ append, unchanged }) =>
        writer().append({
          append: append.map((one) => ({ ...one, stream: one.stream.replace("1", String(round)) })),
          unchanged: unchanged.map((one) => ({ ...one, stream: one.stream.replace("1", String(round)) })),
        }),
      ),
    );
    expect([left!.refused, right!.refused].filter((refused) => refused === null)).toHaveLength(1);
  }
});

test("a unit that is refused for one of its streams leaves nothing in the others", async () => {
  const { database, writer } = await store();
  expect(await writer().append({ append: [said("a/1", 0), said("b/1", 3)] })).toEqual({ refused: "version" });
  expect(await database.sql("select 1 from program.events")).toEqual([]);
  const verdict = await writer().append({ append: [said("a/1", 0), said("b/1", 0)] });
  expect(verdict).toMatchObject({ refused: null, appended: [{ base: 0 }, { base: 0 }] });
});

test("recorded_at never goes back inside a partition, though the clock does", async () => {
  const { database, clock, writer } = await store();
  await writer().append({ append: [said("a/1", 0)] });
  clock.set("2026-01-05T11:00:00Z");
  await writer().append({ append: [said("a/1", 1)] });
  clock.set("2026-01-05T13:00:00Z");
  await writer().append({ append: [said("a/1", 2)] });
  const rows = await database.sql<{ at: string }>(
    "select to_char(recorded_at at time zone 'UTC', 'HH24:MI') as at from program.events order by sequence",
  );
  expect(rows.map(({ at }) => at)).toEqual(["12:00", "12:00", "13:00"]);
});

test("the append refuses any isolation in which it would judge by what it saw before it waited", async () => {
  const { database } = await store();
  for (const isolation of ["repeatable read", "serializable"]) {
    const url = new URL(database.url);
    url.searchParams.set("options", `-c default_transaction_isolation=${isolation.replace(" ", "\\ ")}`);
    const pool = new pg.Pool({ connectionString: url.href, max: 1 });
    try {
      const writer = new Writer(pool, "program", new SetClock("2026-01-05T12:00:00Z"), () => undefined);
      await expect(writer.append({ append: [said("a/1", 0)] })).rejects.toThrow(/read committed/);
    } finally {
      await pool.end();
    }
  }
});

test("the service's role appends and reads, and can neither change nor remove an event; another service's role only reads", async () => {
  const { database, pool, writer } = await store();
  await writer().append({ append: [said("a/1", 0)] });
  for (const statement of [
    "update program.events set data = '{}'",
    "delete from program.events",
    "truncate program.events",
    "drop table program.events",
    "alter table program.events disable trigger all",
    "create or replace function program.append() returns void language sql as ''",
    "insert into program.events select * from program.events",
  ])
    await expect(pool.query(statement), statement).rejects.toThrow(
      /permission denied|must be owner|duplicate key/,
    );
  const other = openPool(database.readerUrl, { max: 1, log: silent });
  onTestFinished(() => other.end());
  expect((await other.query("select data->>'text' as text from program.events")).rows).toEqual([
    { text: "hello" },
  ]);
  for (const statement of [
    "insert into program.events select * from program.events",
    "update program.events set data = '{}'",
    "delete from program.events",
    "select * from runtime.answers",
    "create table private.mine (x int)",
  ])
    await expect(other.query(statement), statement).rejects.toThrow(/permission denied/);
});

test("a job that lost its lease can't write, whoever has it now", async () => {
  const { database, pool, writer } = await store();
  const table = new JobTable(pool);
  await table.ensure("close", "2026-01-05T00:00:00Z");
  const claim = () => table.claim(["close"], "2026-01-05T12:00:00Z", 1);
  const [old] = await claim();
  expect(await claim()).toEqual([]);
  expect(await writer().append({ append: [said("a/1", 0)], run: old! })).toMatchObject({ refused: null });
  await database.sql("update runtime.jobs set lease_until = now() - interval '1 second'");
  const [next] = await claim();
  expect(next!.run).toBe(old!.run + 1);
  expect(await writer().append({ append: [said("a/1", 1)], run: old! })).toEqual({ refused: "run" });
  expect(await table.keep(old!)).toBe(false);
  await table.finish(old!);
  await table.again(old!, "2027-01-01T00:00:00Z");
  await table.failed(old!, "too late");
  expect(await writer().append({ append: [said("a/1", 1)], run: next! })).toMatchObject({ refused: null });
  await table.finish(next!);
  expect(await writer().append({ append: [said("a/1", 2)], run: next! })).toEqual({ refused: "run" });
  expect(await database.sql("select version from program.events order by 1")).toEqual([
    { version: 1 },
    { version: 2 },
  ]);
});

test("a job that is put on the table while it runs is run again, at the moment it was put for", async () => {
  const { database, pool, writer } = await store();
  const table = new JobTable(pool);
  const put = (due: string) => writer().append({ jobs: [{ name: "send", key: "k", due, payload: null }] });
  const due = async () =>
    (
      await database.sql<{ due: string }>(
        "select to_char(due at time zone 'UTC', 'YYYY-MM-DD') as due from runtime.jobs",
      )
    ).map((row) => row.due);
  await put("2026-01-01T00:00:00Z");
  const [first] = await table.claim(["send"], "2026-01-05T12:00:00Z", 1);
  await put("2026-01-02T00:00:00Z");
  expect(await table.claim(["send"], "2026-01-05T12:00:00Z", 1)).toEqual([]);
  await table.again(first!, "2026-03-01T00:00:00Z");
  expect(await due()).toEqual(["2026-01-02"]);
  const [second] = await table.claim(["send"], "2026-01-05T12:00:00Z", 1);
  await put("2026-01-03T00:00:00Z");
  await table.finish(second!);
  expect(await due()).toEqual(["2026-01-03"]);
});

test("a stream's partition is fixed at birth: known names lie where they always lay, and every name lies in one of 16", () => {
  const known = { "": 5, a: 12, "product/x1": 6, "statement/2026-01:b1:c1": 4, "slug/früh": 8, "day/0": 2 };
  const places = Object.fromEntries(Object.keys(known).map((stream) => [stream, partitionOf(stream)]));
  expect(places).toEqual(known);
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (stream) => {
      const partition = partitionOf(stream);
      expect(Number.isInteger(partition) && partition >= 0 && partition < PARTITIONS).toBe(true);
      const bytes = Buffer.from(stream, "utf8");
      let hash = 0x811c9dc5n;
      for (const byte of bytes) hash = ((hash ^ BigInt(byte)) * 0x01000193n) & 0xffffffffn;
      expect(partition).toBe(Number(hash % 16n));
    }),
  );
});

test("what a process keeps in mind of a stream after it appended is what anybody else would fold from the store", async () => {
  const { pool, clock, writer } = await store();
  const Noted = eventsOf("program")("Noted", z.object({ n: z.int() }));
  const diary = stream("diary", [] as string[], [
    when(Noted, (state, { time, version, data, actor }) => [
      ...state,
      `${version} ${data.n} ${time} ${actor}`,
    ]),
  ]);
  const ticking: Clock = {
    now: () => {
      clock.set(new Date(Date.parse(clock.now()) + 1).toISOString());
      return clock.now();
    },
    revision: 0,
    onMove: () => () => undefined,
  };
  const own = new Writer(pool, "program", ticking, () => undefined);
  const streams = new Streams(pool, "program");
  const frame = {
    sources: {
      streams,
      facts: new Map(),
      documents: () => {
        throw new Error("no documents here");
      },
      progress: () => Promise.reject(new Error("no progress here")),
      heads: async () => [],
    },
    writerOf: () => own,
    own: "program",
    clock: ticking,
    random: systemRandom,
    turns: new Turns(),
  };
  const cause = { actor: "ada", correlationid: "c", causationid: null };
  for (let n = 1; n <= 3; n++) {
    const reads = { diary: diary.at("d") };
    await act(frame, reads, () => [to(diary.at("d"), Noted({ n }))], {
      cause,
      caller: null,
      positions: new Map(),
    });
  }
  const [ref, fresh] = [diary.at("d") as unknown as Asked, new Streams(pool, "program")];
  expect(streams.known(ref)).toEqual({ ...(await fresh.load([ref])).get(ref.id), of: diary });
  await writer().append({
    append: [{ ...said("diary/d", 3), events: [{ ...said("", 0).events[0]!, type: "Other" }] }],
  });
  expect((await streams.load([ref])).get(ref.id)).toMatchObject({
    version: 4,
    state: expect.objectContaining({ length: 3 }),
  });
});
