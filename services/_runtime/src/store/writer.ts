import type pg from "pg";
import type { Clock } from "../ports/clock.ts";
import { PARTITIONS, partitionOf, type Vector, zero } from "./partition.ts";
import { isConnectionError } from "./pool.ts";
import type { RefusedBecause, StoredEvent, Unit, Verdict } from "./unit.ts";

const MOST_EVENTS = 2000;
const MOST_UNITS = 1000;
const CALLS_UNDER_WAY = 2;
const ANY = -1;

/** The call was cut off: whether its units stand is not known. Read before deciding again. */
export class UnknownOutcome extends Error {
  constructor(cause: unknown) {
    super("the database went away during an append; whether it stands is not known", { cause });
    this.name = "UnknownOutcome";
  }
}

interface Waiting {
  readonly unit: Unit;
  readonly events: number;
  readonly keys: readonly string[];
  readonly resolve: (verdict: Verdict) => void;
  readonly reject: (error: unknown) => void;
}

const keysOf = (unit: Unit): string[] => [
  ...(unit.moves ?? []).map((move) => `c/${move.reader}/${move.source}/${move.partition}`),
  ...(unit.jobs ?? []).map((job) => `j/${job.name}/${job.key}`),
  ...(unit.run ? [`j/${unit.run.name}/${unit.run.key}`] : []),
  ...(unit.answer ? [`a/${unit.answer.caller}/${unit.answer.key}`] : []),
  ...[...(unit.release ?? []), ...(unit.behind ?? [])].map(
    (held) => `h/${held.reader}/${held.source}/${held.stream}`,
  ),
];

function hashed(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0;
  return hash % 256;
}

/** What one call touches, so that the next unit can tell whether it has to wait for another call. */
class Touched {
  readonly #appended = new Map<string, "any" | "expected">();
  readonly #guarded = new Set<string>();
  readonly #keys = new Set<string>();

  takes(waiting: Waiting): boolean {
    const { append = [], unchanged = [] } = waiting.unit;
    const free = appendsFreely(waiting.unit);
    for (const { stream } of append) {
      const touched = this.#appended.get(stream);
      if (this.#guarded.has(stream) || (touched && !(free && touched === "any"))) return false;
    }
    for (const { stream } of unchanged) if (this.#appended.has(stream)) return false;
    for (const key of waiting.keys) if (this.#keys.has(key)) return false;
    for (const { stream } of append) this.#appended.set(stream, free ? "any" : "expected");
    for (const { stream } of unchanged) this.#guarded.add(stream);
    for (const key of waiting.keys) this.#keys.add(key);
    return true;
  }
}

/** A unit that nothing can refuse: several of them may stack on one stream in one call. */
const appendsFreely = (unit: Unit): boolean =>
  !unit.unchanged?.length &&
  !unit.moves?.length &&
  !unit.run &&
  !unit.answer &&
  !unit.release?.length &&
  !unit.behind?.length &&
  (unit.append ?? []).every(({ expect }) => expect === ANY);

/**
 * The one writer of a log in a process. Everything that is asked for while a call is under way goes into the next, so that
 * commands, reactions and effects share their durable writes; each unit is still judged alone.
 */
export class Writer {
  readonly #pool: pg.Pool;
  readonly #log: string;
  readonly #clock: Clock;
  readonly #told: (heads: Vector) => void;
  #queue: Waiting[] = [];
  #calls = 0;
  #heads: Vector = zero();

  constructor(pool: pg.Pool, log: string, clock: Clock, told: (heads: Vector) => void) {
    this.#pool = pool;
    this.#log = log;
    this.#clock = clock;
    this.#told = told;
  }

  /** Whether nothing is queued or under way. */
  get idle(): boolean {
    return this.#calls === 0 && this.#queue.length === 0;
  }

  /** Appends a unit. Rejects with UnknownOutcome when the engine went away in between, and with the engine's error when it can't store the data. */
  append(unit: Unit): Promise<Verdict> {
    const streams = (unit.append ?? []).map(({ stream }) => stream);
    if (new Set(streams).size !== streams.length) throw new Error("a unit names each stream once");
    return new Promise((resolve, reject) => {
      const events = (unit.append ?? []).reduce((count, { events }) => count + events.length, 0);
      this.#queue.push({ unit, events, keys: keysOf(unit), resolve, reject });
      if (this.#queue.length === 1) queueMicrotask(() => this.#next());
    });
  }

  #next(): void {
    while (this.#calls < CALLS_UNDER_WAY && this.#queue.length > 0) {
      const call: Waiting[] = [];
      const later: Waiting[] = [];
      const touched = new Touched();
      let events = 0;
      for (const waiting of this.#queue) {
        const fits =
          call.length === 0 || (call.length < MOST_UNITS && events + waiting.events <= MOST_EVENTS);
        if (fits && touched.takes(waiting)) {
          call.push(waiting);
          events += waiting.events;
        } else later.push(waiting);
      }
      this.#queue = later;
      this.#calls++;
      void this.#send(call).finally(() => {
        this.#calls--;
        this.#next();
      });
    }
  }

  async #send(call: readonly Waiting[]): Promise<void> {
    const { values, partitions } = this.#arguments(call);
    let row: { refused: (RefusedBecause | null)[]; first: (string | number | null)[]; base: number[] };
    try {
      const result = await this.#pool.query({
        name: `append_${this.#log}`,
        text: `select * from ${this.#log}.append($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12,$13,$14,$15,$16,$17,$18,$19,$20,$21,$22,$23,$24,$25,$26,$27)`,
        values,
      });
      row = result.rows[0];
    } catch (error) {
      await this.#failed(call, error);
      return;
    }
    const moved = this.#heads;
    let index = 0;
    for (const [u, { unit, resolve }] of call.entries()) {
      const appended = (unit.append ?? []).map(({ events }) => {
        const place = {
          partition: partitions[index]!,
          first: Number(row.first[index]),
          base: row.base[index]!,
          count: events.length,
        };
        index++;
        return place;
      });
      const because = row.refused[u];
      if (because) {
        resolve({ refused: because });
        continue;
      }
      for (const { partition, first, count } of appended)
        moved[partition] = Math.max(moved[partition]!, first + count);
      resolve({ refused: null, time: values[0] as string, appended });
    }
    this.#told([...moved]);
  }

  /** One bad string may not take its neighbours down: data errors are tried again one by one. */
  async #failed(call: readonly Waiting[], error: unknown): Promise<void> {
    if (isConnectionError(error)) {
      for (const { reject } of call) reject(new UnknownOutcome(error));
      return;
    }
    if (call.length === 1) return call[0]!.reject(error);
    for (const waiting of call) await this.#send([waiting]);
  }

  #arguments(call: readonly Waiting[]): { values: unknown[]; partitions: number[] } {
    const locks = new Array<boolean | undefined>(PARTITIONS);
    const keys = new Set<number>();
    const a = {
      unit: [] as number[],
      stream: [] as string[],
      partition: [] as number[],
      expect: [] as number[],
      count: [] as number[],
      prior: [] as number[],
    };
    const e = {
      append: [] as number[],
      offset: [] as number[],
      id: [] as string[],
      type: [] as string[],
      data: [] as string[],
      meta: [] as string[],
    };
    const g = { unit: [] as number[], stream: [] as string[], version: [] as number[] };
    const c = {
      unit: [] as number[],
      reader: [] as string[],
      source: [] as string[],
      partition: [] as number[],
      from: [] as number[],
      to: [] as number[],
    };
    const rest: (string | null)[] = [];
    const stacked = new Map<string, number>();
    call.forEach(({ unit, keys: named }, index) => {
      const u = index + 1;
      for (const key of named) keys.add(hashed(key));
      for (const { stream, expect, events } of unit.append ?? []) {
        const partition = partitionOf(stream);
        locks[partition] = true;
        a.unit.push(u);
        a.stream.push(stream);
        a.partition.push(partition);
        a.expect.push(expect);
        a.count.push(events.length);
        a.prior.push(stacked.get(stream) ?? 0);
        if (expect === ANY) stacked.set(stream, (stacked.get(stream) ?? 0) + events.length);
        events.forEach((event: StoredEvent, offset) => {
          e.append.push(a.unit.length);
          e.offset.push(offset + 1);
          e.id.push(event.id);
          e.type.push(event.type);
          e.data.push(event.data);
          e.meta.push(event.meta);
        });
      }
      for (const { stream, version } of unit.unchanged ?? []) {
        locks[partitionOf(stream)] ??= false;
        g.unit.push(u);
        g.stream.push(stream);
        g.version.push(version);
      }
      for (const move of unit.moves ?? []) {
        c.unit.push(u);
        c.reader.push(move.reader);
        c.source.push(move.source);
        c.partition.push(move.partition);
        c.from.push(move.from);
        c.to.push(move.to);
      }
      const { hold, release, behind, jobs, run, answer } = unit;
      const needed = hold?.length || release?.length || behind?.length || jobs?.length || run || answer;
      rest.push(needed ? JSON.stringify({ hold, release, behind, jobs, run, answer }) : null);
    });
    const locked = [...locks.keys()].filter((partition) => locks[partition] !== undefined);
    return {
      partitions: a.partition,
      values: [
        this.#clock.now(),
        locked,
        locked.map((partition) => locks[partition]),
        [...keys].sort((x, y) => x - y),
        call.length,
        rest,
        a.unit,
        a.stream,
        a.partition,
        a.expect,
        a.count,
        a.prior,
        e.append,
        e.offset,
        e.id,
        e.type,
        e.data,
        e.meta,
        g.unit,
        g.stream,
        g.version,
        c.unit,
        c.reader,
        c.source,
        c.partition,
        c.from,
        c.to,
      ],
    };
  }
}
