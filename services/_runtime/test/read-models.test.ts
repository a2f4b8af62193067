import { createHash, randomUUID } from "node:crypto";
import type { NewEvent } from "@tributary/contracts/event";
import type pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { canonical } from "../src/canonical.ts";
import { Notifier } from "../src/log/notifier.ts";
import { PostgresLog } from "../src/log/postgres-log.ts";
import { Tail } from "../src/log/tail.ts";
import { logger } from "../src/logs.ts";
import { realClock } from "../src/ports/clock.ts";
import type { DocumentRow } from "../src/read-models/document-store.ts";
import { Folding } from "../src/read-models/fold.ts";
import { PostgresDocumentStore } from "../src/read-models/postgres-store.ts";
import { type ReadModel, readModel } from "../src/read-models/read-model.ts";
import { ReadModelWorker } from "../src/read-models/worker.ts";
import { openPool } from "../src/store/pool.ts";
import { Writer } from "../src/store/writer.ts";
import { when } from "../src/stream.ts";
import { sameInEveryInterleaving, type Told } from "../src/testing/interleavings.ts";
import { type Database, databaseFor } from "./database.ts";
import { Program, type Said } from "./program.ts";
import { seeded } from "./programs/telling.ts";
import { CrateBurnt, CrateFilled, CrateMade, cratesOf, yardsOf } from "./toys/crates.ts";

const silent = logger("read-models", "silent");

interface Yard {
  readonly database: Database;
  readonly pool: pg.Pool;
  record(told: readonly Told[]): Promise<void>;
  tail(started?: boolean): Promise<Tail>;
  heads(): Promise<number[]>;
}

async function yard(): Promise<Yard> {
  const database = await databaseFor({ name: "program", logs: ["program"], tables: [] });
  const pool = openPool(database.url, { max: 8, log: silent });
  onTestFinished(() => pool.end());
  const notifier = new Notifier(pool, "program", silent);
  const writer = new Writer(pool, "program", realClock, (heads) => notifier.tell(heads));
  const stored = ({ type, json }: NewEvent) => ({
    id: randomUUID(),
    type,
    data: JSON.stringify(json),
    meta: JSON.stringify({ correlationid: "told" }),
  });
  const tails: Tail[] = [];
  /** One that hasn't been started hears of nothing until it is asked. */
  const tail = async (started = true): Promise<Tail> => {
    const one = new Tail(new PostgresLog("program", database.readerUrl, silent), silent);
    if (started) {
      await one.start();
      tails.push(one);
    }
    onTestFinished(() => one.close());
    return one;
  };
  return {
    database,
    pool,
    tail,
    record: async (told) => {
      for (let at = 0; at < told.length; at += 20) {
        const streams = new Map<string, NewEvent[]>();
        for (const { stream, event } of told.slice(at, at + 20))
          streams.set(stream, [...(streams.get(stream) ?? []), event]);
        const units = [...streams].map(([stream, events]) =>
          writer.append({ append: [{ stream, expect: -1, events: events.map(stored) }] }),
        );
        await Promise.all(units);
      }
      await Promise.all(tails.map((one) => one.look()));
    },
    heads: async () => {
      const rows = await database.sql<{ head: string }>(
        "select coalesce((select max(sequence) from program.events e where e.partition = p), 0) as head from generate_series(0, 15) p order by p",
      );
      return rows.map(({ head }) => Number(head));
    },
  };
}

const forgotten = (model: unknown): ReadModel<never> => model as ReadModel<never>;

/** A day in the yards: crates are made, filled and burnt, and some made again. */
function story(seed: number, events: number): Told[] {
  const random = seeded(seed);
  return Array.from({ length: events }, () => {
    const number = Math.floor(random() * 60);
    const crate = { crate: `c${number}`, yard: `y${number % 4}` };
    const what = random();
    const event =
      what < 0.15
        ? CrateMade(crate)
        : what < 0.2
          ? CrateBurnt(crate)
          : CrateFilled({ ...crate, count: Math.floor(random() * 100) });
    return { stream: `crate/${crate.crate}`, event };
  });
}

/** What the documents must be: every event folded once, in the order of the log, by nothing but the declared folds. */
async function fromScratch(database: Database, model: ReadModel<never>): Promise<string[]> {
  const folding = new Folding(model);
  const rows = await database.sql<{ partition: string; sequence: string; stream: string; version: number }>(
    `select partition, sequence::int, stream, version, id, type, data, meta, recorded_at::text as time
     from program.events order by partition, sequence`,
  );
  const documents = new Map<string, unknown>();
  for (const row of rows) {
    const step = folding.step("program", row as never);
    for (const id of step?.keys ?? [])
      documents.set(id, folding.apply(step!, documents.get(id) ?? null) ?? null);
  }
  return [...documents]
    .filter(([, document]) => document !== null)
    .map(([id, document]) => `${id} ${canonical(folding.encode(document))}`)
    .sort();
}

async function shown(database: Database, { name, version }: ReadModel<never>): Promise<string[]> {
  const rows = await database.sql<DocumentRow>(
    `select id, doc from documents.${name}_v${version} where doc is not null`,
  );
  return rows.map(({ id, doc }) => `${id} ${canonical(doc)}`).sort();
}

const sha256 = (documents: readonly string[]): string =>
  createHash("sha256").update(documents.join("\n")).digest("hex");

const models = (version = 1): ReadModel<never>[] => [
  forgotten(cratesOf(version)),
  forgotten(yardsOf(version)),
];

test("competing workers with different batch sizes, killed at random moments, fold every event once; so does a rebuild", {
  timeout: 80_000,
}, async () => {
  const { database, pool, record, heads, tail } = await yard();
  const random = seeded(11);
  const start = async (batch: number, diesAt?: number) =>
    Program.start("fold", { url: database.url, batch, seed: batch, ...(diesAt ? { diesAt } : {}) });
  const told = story(5, 1500);
  for (let round = 0; round < 5; round++) {
    const workers = await Promise.all(
      [3, 40, 500].map((batch) =>
        start(batch, round > 0 && random() < 0.6 ? 5 + Math.floor(random() * 40) : undefined),
      ),
    );
    await Promise.all(workers.map((worker) => worker.hears("ready").catch(() => worker.end())));
    await record(told.slice(round * 300, round * 300 + 300));
    await Promise.all(workers.map((worker) => worker.kill()));
  }
  const workers = await Promise.all([3, 40, 500].map((batch) => start(batch)));
  await Promise.all(workers.map((worker) => worker.hears("ready")));
  const goal = await heads();
  for (const program of workers) {
    for (let there = false; !there; ) {
      program.tell({ say: "at?", heads: goal });
      ({ there } = await program.hears<Said & { there: boolean }>("at"));
    }
  }
  const live = new Map<string, string>();
  for (const model of models()) {
    const documents = await shown(database, model);
    expect(documents).toEqual(await fromScratch(database, model));
    expect(documents.length).toBeGreaterThan(3);
    live.set(model.name, sha256(documents));
  }
  await Promise.all(workers.map((program) => program.kill()));

  const following = await tail();
  for (const model of models(2)) {
    const worker = new ReadModelWorker(
      new Folding(model),
      new PostgresDocumentStore(pool, model),
      () => following,
      silent,
    );
    await worker.start();
    await worker.stop();
    expect(sha256(await shown(database, model))).toBe(live.get(model.name));
  }
});

test("a deleted document doesn't come back and nothing counts twice when everything is told again", async () => {
  const { database, pool, record, tail, heads } = await yard();
  const run = async (batch: number) => {
    for (const model of models()) {
      const worker = new ReadModelWorker(
        new Folding(model),
        new PostgresDocumentStore(pool, model),
        await tail().then((one) => () => one),
        silent,
        { batch },
      );
      await worker.start();
      const goal = new Map([["program", await heads()]]);
      await expect.poll(() => worker.standsAt(goal), { interval: 5, timeout: 10_000 }).toBe(true);
      await worker.stop();
    }
  };
  await run(10);
  await record(story(7, 300));
  for (const made of ["c0", "c1"])
    await record([
      { stream: `crate/${made}`, event: CrateMade({ crate: made, yard: "y0" }) },
      { stream: `crate/${made}`, event: CrateBurnt({ crate: made, yard: "y0" }) },
    ]);
  await run(10);
  const before = await Promise.all(models().map((model) => shown(database, model)));
  expect(before[0]!.filter((document) => /^c[01] /.test(document))).toEqual([]);
  expect(before).toEqual(await Promise.all(models().map((model) => fromScratch(database, model))));
  await database.sql("update runtime.checkpoints set position = 0");
  await run(7);
  expect(await Promise.all(models().map((model) => shown(database, model)))).toEqual(before);

  const [crates] = models();
  const told = (crate: string, ...events: NewEvent[]) =>
    record(events.map((event) => ({ stream: `crate/${crate}`, event })));
  await told("zz", CrateMade({ crate: "zz", yard: "y0" }));
  await run(10);
  let goOn = (): void => undefined;
  const stands = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  let loaded = false;
  const slow = new PostgresDocumentStore(pool, crates!);
  slow.write = async (rows) => {
    loaded = true;
    await stands;
    return PostgresDocumentStore.prototype.write.call(slow, rows);
  };
  const stopped = new ReadModelWorker(
    new Folding(crates!),
    slow,
    await tail().then((one) => () => one),
    silent,
  );
  await stopped.start();
  await told("zz", CrateFilled({ crate: "zz", yard: "y0", count: 1 }));
  await expect.poll(() => loaded, { interval: 5, timeout: 10_000 }).toBe(true);
  await told("zz", CrateBurnt({ crate: "zz", yard: "y0" }));
  await run(10);
  const stopping = stopped.stop();
  goOn();
  await stopping;
  expect((await shown(database, crates!)).filter((document) => document.startsWith("zz "))).toEqual([]);
});

test("a document that can't be folded is held, its neighbours go on, and release loses nothing, whoever passed over it", async () => {
  const { database, pool, record, tail, heads } = await yard();
  const broken = { fold: true, form: true };
  const model = forgotten(
    readModel("tins", z.object({ crate: z.string(), total: z.int().max(1000) }), {
      on: [
        when(CrateFilled, (doc, { data: { crate, count } }) => {
          if (broken.fold && count === 13) throw new Error("thirteen can't be shown");
          const total = (doc?.total ?? 0) + (count > 5000 && !broken.form ? 7 : count);
          return { crate, total };
        }),
      ],
      key: ({ data }) => data.crate,
    }),
  );
  const fill = (crate: string, ...counts: number[]) =>
    record(
      counts.map((count) => ({ stream: `crate/${crate}`, event: CrateFilled({ crate, yard: "y", count }) })),
    );
  const workerOn = (on: Tail, store = new PostgresDocumentStore(pool, model)) =>
    new ReadModelWorker(new Folding(model), store, () => on, silent, { batch: 3 });

  const ahead = workerOn(await tail());
  await ahead.start();
  const reached = async () => {
    const goal = new Map([["program", await heads()]]);
    await expect.poll(() => ahead.standsAt(goal), { interval: 5, timeout: 10_000 }).toBe(true);
  };
  await fill("a", 1, 2);
  await fill("b", 1, 13, 2);
  await fill("c", 1, 9999, 3);
  await fill("a", 4);
  await reached();
  const store = new PostgresDocumentStore(pool, model);
  expect(await shown(database, model)).toEqual([
    'a {"crate":"a","total":7}',
    'b {"crate":"b","total":1}',
    'c {"crate":"c","total":1}',
  ]);
  const held = await store.heldDocuments();
  expect(held.map((row) => [row.id, row.held!.type])).toEqual([
    ["b", "CrateFilled"],
    ["c", "CrateFilled"],
  ]);
  expect(held[0]!.held!.cause).toBe("thirteen can't be shown");

  const behind = workerOn(await tail(false));
  await behind.start();
  await fill("b", 30);
  await fill("c", 30);
  await reached();
  await behind.release("b");
  expect(await shown(database, model)).toContain('b {"crate":"b","total":1}');
  broken.fold = false;
  await behind.release("b");
  expect(await shown(database, model)).toContain('b {"crate":"b","total":46}');

  broken.form = false;
  let raced = false;
  const racing = new Proxy(new PostgresDocumentStore(pool, model), {
    get: (target, name) => {
      const value = target[name as keyof typeof target] as unknown;
      if (typeof value !== "function") return value;
      if (name !== "write") return value.bind(target);
      return async (rows: DocumentRow[]) => {
        if (!raced) {
          raced = true;
          await fill("c", 500);
          await reached();
        }
        return target.write(rows);
      };
    },
  });
  const releasing = workerOn(await tail(false), racing);
  await releasing.start();
  await releasing.release("c");
  await Promise.all([behind.stop(), releasing.stop()]);
  await fill("c", 1);
  await reached();
  await ahead.stop();
  expect(raced).toBe(true);
  expect(await shown(database, model)).toContain('c {"crate":"c","total":542}');
  expect(await store.heldDocuments()).toEqual([]);
});

test("a rebuild holds what can't be folded or has no fitting form, and builds the rest", async () => {
  const { database, pool, record, tail } = await yard();
  const model = forgotten(
    readModel("tins", z.object({ crate: z.string(), total: z.int().max(1000) }), {
      on: [
        when(CrateFilled, (doc, { data: { crate, count } }) => {
          if (count === 13) throw new Error("thirteen can't be shown");
          return { crate, total: (doc?.total ?? 0) + count };
        }),
      ],
      key: ({ data }) => [data.crate, data.crate],
    }),
  );
  await record(
    [
      ["a", 2],
      ["b", 13],
      ["c", 5000],
      ["a", 3],
    ].map(([crate, count]) => ({
      stream: `crate/${crate}`,
      event: CrateFilled({ crate: crate as string, yard: "y", count: count as number }),
    })),
  );
  const store = new PostgresDocumentStore(pool, model);
  const following = await tail();
  const worker = new ReadModelWorker(new Folding(model), store, () => following, silent);
  await worker.start();
  await worker.stop();
  expect(await shown(database, model)).toEqual(['a {"crate":"a","total":5}']);
  expect((await store.heldDocuments()).map(({ id }) => id)).toEqual(["b", "c"]);
});

test("read models fold to the same bytes in every order between streams, and one that doesn't is named", () => {
  const told = story(3, 200);
  for (const model of models()) {
    const documents = sameInEveryInterleaving(model, told, { seed: 4, times: 50 });
    expect(documents.size).toBeGreaterThan(3);
  }
  const last = forgotten(
    readModel("last", z.object({ yard: z.string(), last: z.string() }), {
      on: [when(CrateFilled, (_, { data: { yard: at, crate } }) => ({ yard: at, last: crate }))],
      key: ({ data }) => data.yard,
    }),
  );
  expect(() => sameInEveryInterleaving(last, told, { seed: 4, times: 50 })).toThrow(
    /document y\d of last depends on the order between streams/,
  );
  const place = forgotten(
    readModel("place", z.object({ crate: z.string(), at: z.int() }), {
      on: [when(CrateMade, (_, { data, sequence }) => ({ crate: data.crate, at: sequence }))],
      key: ({ data }) => data.crate,
    }),
  );
  expect(() => sameInEveryInterleaving(place, told, { seed: 4, times: 50 })).toThrow(/depends on the order/);
});
