import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { Database } from "../database.ts";
import { Program } from "../program.ts";
import type { Asked } from "../programs/storm-writer.ts";

const PROCESSES = 4;
const WRITERS = 4;
const EVENTS = 20_000;
const RACES = 40;

/** A store and the log that tells of it, as writers and readers in processes of their own reach them. */
export interface Stormed {
  readonly database: Database;
  readonly log: string;
  /** How a reader program opens the log. */
  readonly reader: { readonly kind: string; readonly url: string };
}

interface Row {
  readonly partition: number;
  readonly sequence: number;
  readonly stream: string;
  readonly version: number;
  readonly id: string;
  readonly unit: string;
}

/** What must hold of any store and log when many write and read at once. */
export function standsStorms(name: string, prepare: () => Promise<Stormed>): void {
  describe(`${name} in a storm of 16 writers and several readers`, () => {
    test("nothing is skipped, nothing comes twice, exactly the guilty are refused, and of racing creations one wins", {
      timeout: 90_000,
    }, async () => {
      const { database, log, reader } = await prepare();
      const [writers, readers] = await Promise.all([
        Promise.all(
          Array.from({ length: PROCESSES }, (_, seed) =>
            Program.start("storm-writer", {
              url: database.url,
              log,
              seed: seed + 1,
              writers: WRITERS,
              events: EVENTS / PROCESSES,
              shared: 10,
              races: RACES,
            }),
          ),
        ),
        Promise.all(
          ["tail", "tail", "bites"].map((way) => Program.start("storm-reader", { ...reader, log, way })),
        ),
      ]);
      await Promise.all([...writers, ...readers].map((program) => program.hears("ready")));
      for (const writer of writers) writer.tell({ say: "go" });
      const asked = (
        await Promise.all(
          writers.map(async (writer) => (await writer.hears<{ say: string; asked: Asked[] }>("done")).asked),
        )
      ).flat();

      const rows = await database.sql<Row>(
        `select partition::int, sequence::int, stream, version, id, data->>'unit' as unit from ${log}.events order by partition, sequence`,
      );
      expect(rows.length).toBeGreaterThanOrEqual(EVENTS);
      withoutHoles(rows);
      judgedRightly(asked, rows);

      const heads = new Array<number>(16).fill(0);
      for (const { partition, sequence } of rows) heads[partition] = sequence;
      const digests = heads.map((_, partition) =>
        digestOf(rows.filter((row) => row.partition === partition)),
      );
      for (const one of readers) {
        one.tell({ say: "until", heads });
        const done = await one.hears<{ say: string; live: number; at: number[]; digests: string[] }>("done");
        expect(done.at).toEqual(heads);
        expect(done.digests).toEqual(digests);
        expect(done.live).toBeGreaterThan(0);
      }
    });
  });
}

const digestOf = (rows: readonly Row[]): string => {
  const digest = createHash("sha256");
  for (const { sequence, stream, version, id } of rows)
    digest.update(`${sequence} ${stream} ${version} ${id}\n`);
  return digest.digest("hex");
};

/** Sequences of every partition and versions of every stream count 1, 2, 3 in the same order. */
function withoutHoles(rows: readonly Row[]): void {
  const sequences = new Map<number, number>();
  const versions = new Map<string, number>();
  const holes: Row[] = [];
  for (const row of rows) {
    const sequence = (sequences.get(row.partition) ?? 0) + 1;
    const version = (versions.get(row.stream) ?? 0) + 1;
    if (row.sequence !== sequence || row.version !== version) holes.push(row);
    sequences.set(row.partition, row.sequence);
    versions.set(row.stream, row.version);
  }
  expect(holes).toEqual([]);
  expect(sequences.size).toBe(16);
}

/** Each unit stands as a whole where its verdict says, or not at all; and the verdicts are just. */
function judgedRightly(asked: readonly Asked[], rows: readonly Row[]): void {
  const stored = new Map<string, Row[]>();
  const versions = new Map<string, number>();
  for (const row of rows) {
    stored.set(row.unit, [...(stored.get(row.unit) ?? []), row]);
    versions.set(row.stream, row.version);
  }
  const wrong: unknown[] = [];
  let accepted = 0;
  for (const { unit, kind, appends, verdict } of asked) {
    if (kind === "guilty" && verdict.refused !== "version") wrong.push({ unit, kind, verdict });
    if (kind === "innocent" && verdict.refused !== null) wrong.push({ unit, kind, verdict });
    appends.forEach(({ stream, expect: expected, count }, at) => {
      const found = stored.get(`${unit}/${at}`) ?? [];
      if (verdict.refused !== null) {
        if (found.length > 0) wrong.push({ unit, verdict, found });
        return;
      }
      const { base, first, partition } = verdict.appended[at]!;
      accepted += count;
      const stands = found.every(
        (row, n) =>
          row.stream === stream &&
          row.version === base + n + 1 &&
          row.sequence === first + n + 1 &&
          row.partition === partition,
      );
      if (found.length !== count || !stands || (expected >= 0 && base !== expected))
        wrong.push({ unit, verdict, found });
    });
    if (
      kind === "racing" &&
      verdict.refused !== null &&
      (versions.get(appends[0]!.stream) ?? 0) <= appends[0]!.expect
    )
      wrong.push({ unit, kind, verdict });
  }
  expect(wrong).toEqual([]);
  expect(accepted).toBe(rows.length);
  for (const kind of ["guilty", "innocent", "racing"])
    expect(asked.some((one) => one.kind === kind)).toBe(true);
  const creations = asked.filter(({ unit, verdict }) => unit.startsWith("race-") && verdict.refused === null);
  expect(creations.map(({ appends }) => appends[0]!.stream).sort()).toEqual(
    Array.from({ length: RACES }, (_, n) => `race/${n}`).sort(),
  );
}
