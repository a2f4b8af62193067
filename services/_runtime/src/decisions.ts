import { type Day, dayAt } from "@tributary/contracts/dates";
import type { Heard, NewEvent } from "@tributary/contracts/event";
import type { Caller } from "./caller.ts";
import type { Addressed, Deciding, Outcome, Ref, Refs, Scheduled } from "./decision.ts";
import type { FactsRef } from "./facts.ts";
import type { FactsTable } from "./facts-table.ts";
import type { Recorded } from "./log/log.ts";
import type { Clock } from "./ports/clock.ts";
import type { Random } from "./ports/random.ts";
import type { Progress } from "./progress.ts";
import type { Documents } from "./read-models/documents.ts";
import type { DocumentRef } from "./read-models/read-model.ts";
import type { Streams } from "./store/streams.ts";
import type { Accepted, Append, Unit } from "./store/unit.ts";
import { evolve, type Stream, type StreamRef } from "./stream.ts";

type AnyStreamRef = StreamRef<unknown, unknown>;

/** Where decisions read from. */
export interface Sources {
  readonly streams: Streams;
  readonly facts: ReadonlyMap<string, FactsTable>;
  readonly documents: (model: string) => Documents<unknown>;
  readonly progress: (reader: string, source: string) => Promise<Progress>;
  /** Where the service's own log stands, asked anew. */
  readonly heads: () => Promise<readonly number[]>;
}

/** What has been read for one or many decisions: states with their versions, facts, documents, progress. */
export class Reading {
  readonly states = new Map<string, { version: number; state: unknown; of: Stream<unknown> }>();
  readonly facts = new Map<string, unknown>();
  readonly documents = new Map<string, unknown>();
  readonly progress = new Map<string, Progress>();

  /** The values under the names a decision gave them. */
  values(refs: Refs): Record<string, unknown> {
    return Object.fromEntries(
      Object.entries(refs).map(([name, ref]) => [
        name,
        Array.isArray(ref) ? ref.map((one) => this.value(one as Ref)) : this.value(ref as Ref),
      ]),
    );
  }

  value(ref: Ref): unknown {
    if (ref.kind === "stream") return this.states.get(ref.id)!.state;
    if (ref.kind === "facts")
      return this.facts.get(`${(ref.of as { name: string }).name}/${ref.key}`) ?? null;
    if (ref.kind === "document")
      return this.documents.get(`${(ref.of as { name: string }).name}/${ref.id}`) ?? null;
    return this.progress.get(`${ref.reader}/${ref.source}`)!;
  }
}

/** All refs of a set of names, lists included. */
export const refsOf = (refs: Refs): Ref[] =>
  Object.values(refs).flatMap((ref) => (Array.isArray(ref) ? (ref as Ref[]) : [ref as Ref]));

const grouped = <T>(items: readonly T[], by: (item: T) => string): Map<string, T[]> => {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(by(item));
    if (group) group.push(item);
    else groups.set(by(item), [item]);
  }
  return groups;
};

/**
 * Reads everything that a batch of decisions asks for: one query for all streams, one per facts table, one per read model. With
 * `believed` a stream this process knows is taken as known; an append notices when it was behind.
 */
export async function readAll(
  sources: Sources,
  refs: readonly Ref[],
  into: Reading,
  believed = false,
): Promise<Reading> {
  const streams = refs.filter(
    (ref): ref is AnyStreamRef => ref.kind === "stream" && !into.states.has(ref.id),
  );
  const asked: AnyStreamRef[] = [];
  for (const ref of streams) {
    const known = believed ? sources.streams.known(ref) : undefined;
    if (known) into.states.set(ref.id, { ...known, of: ref.of });
    else asked.push(ref);
  }
  const loads: Promise<void>[] = [];
  if (asked.length > 0) {
    loads.push(
      sources.streams.load(asked).then((folded) => {
        for (const ref of asked) into.states.set(ref.id, { ...folded.get(ref.id)!, of: ref.of });
      }),
    );
  }
  // What has been read once is what the decision stands on: read anew it could contradict what was named after it.
  const facts = refs.filter(
    (ref) => ref.kind === "facts" && !into.facts.has(`${(ref.of as { name: string }).name}/${ref.key}`),
  ) as FactsRef<unknown>[];
  for (const [name, wanted] of grouped(facts, ({ of }) => (of as { name: string }).name)) {
    const table = sources.facts.get(name);
    if (!table) throw new Error(`facts ${name} are not declared in this service`);
    const keys = [...new Set(wanted.map(({ key }) => key))];
    loads.push(
      table.load(keys).then((found) => {
        for (const key of keys) into.facts.set(`${name}/${key}`, found.get(key) ?? null);
      }),
    );
  }
  const documents = refs.filter(
    (ref) => ref.kind === "document" && !into.documents.has(`${(ref.of as { name: string }).name}/${ref.id}`),
  ) as DocumentRef<unknown>[];
  for (const [name, wanted] of grouped(documents, ({ of }) => (of as { name: string }).name)) {
    const ids = [...new Set(wanted.map(({ id }) => id))];
    loads.push(
      sources
        .documents(name)
        .find(ids)
        .then((found) => {
          for (const id of ids) into.documents.set(`${name}/${id}`, found.get(id) ?? null);
        }),
    );
  }
  for (const ref of refs) {
    if (ref.kind !== "progress") continue;
    const key = `${ref.reader}/${ref.source}`;
    if (into.progress.has(key)) continue;
    loads.push(sources.progress(ref.reader, ref.source).then((found) => void into.progress.set(key, found)));
  }
  await Promise.all(loads);
  return into;
}

/** What a decision is handed besides what it read. */
export function deciding(
  clock: Clock,
  random: Random,
  caller: Caller | null,
  heads: readonly number[] = [],
  key = "",
): Deciding {
  const now = clock.now();
  let today: Day | undefined;
  return {
    now,
    get today() {
      today ??= dayAt(now);
      return today;
    },
    caller,
    heads,
    key,
    id: () => random.id(),
    code: (length) => random.code(length),
  };
}

/** Who caused an event and by what: stands in its envelope. */
export interface Cause {
  readonly actor: string | null;
  readonly correlationid: string;
  readonly causationid: string | null;
}

const isAddressed = (item: unknown): item is Addressed => (item as { kind?: string }).kind === "addressed";
const isScheduled = (item: unknown): item is Scheduled => (item as { kind?: string }).kind === "scheduled";

/**
 * Gathers what decisions append into one unit, and folds it into what they read, so that the next decision of a batch sees it.
 * `expect: "new"` on a stream that exists by now can't stand: `taken` tells.
 */
export class UnitBuilder {
  readonly #appends = new Map<
    string,
    { expect: number; events: NewEvent[]; causes: Cause[]; of: Stream<unknown> | null }
  >();
  readonly #jobs = new Map<string, Scheduled>();
  readonly #guards = new Map<string, number>();
  readonly #reading: Reading;
  readonly #clock: Clock;
  readonly #random: Random;

  constructor(reading: Reading, clock: Clock, random: Random) {
    this.#reading = reading;
    this.#clock = clock;
    this.#random = random;
  }

  get empty(): boolean {
    return this.#appends.size === 0 && this.#jobs.size === 0;
  }

  /** Every stream a decision read is guarded, unless it is appended to. */
  guard(refs: readonly Ref[]): void {
    for (const ref of refs) {
      if (ref.kind === "stream" && !this.#guards.has(ref.id)) {
        this.#guards.set(
          ref.id,
          this.#appends.get(ref.id)?.expect ?? this.#reading.states.get(ref.id)!.version,
        );
      }
    }
  }

  /** Adds a decision's outcome; plain events go to its own stream. One that can't be added leaves nothing behind. */
  add(outcome: Outcome<NewEvent>, own: AnyStreamRef | null, cause: Cause): void {
    const undo: (() => void)[] = [];
    try {
      for (const item of outcome) {
        if (isScheduled(item)) this.#schedule(item, undo);
        else if (isAddressed(item)) this.#append(item.stream, item.expect, item.events, cause, undo);
        else if (own) this.#append(own.id, "read", [item], cause, undo);
        else
          throw new Error(`${(item as NewEvent).type} names no stream: address it with to, create or anyhow`);
      }
    } catch (error) {
      for (const step of undo.reverse()) step();
      throw error;
    }
  }

  #schedule(item: Scheduled, undo: (() => void)[]): void {
    const key = `${item.job}/${item.key}`;
    const before = this.#jobs.get(key);
    undo.push(() => (before ? this.#jobs.set(key, before) : this.#jobs.delete(key)));
    this.#jobs.set(key, item);
  }

  #append(
    stream: string,
    expect: Addressed["expect"],
    events: readonly NewEvent[],
    cause: Cause,
    undo: (() => void)[],
  ): void {
    if (events.length === 0) return;
    const read = this.#reading.states.get(stream);
    const before = this.#appends.get(stream);
    const count = before?.events.length ?? 0;
    undo.push(() => {
      if (!before) this.#appends.delete(stream);
      else before.events.length = before.causes.length = count;
      if (read) this.#reading.states.set(stream, read);
    });
    if (!before) {
      if (expect === "read" && !read)
        throw new Error(`${stream} was not read by the decision that appends to it`);
      const expected = expect === "any" ? -1 : expect === "new" ? 0 : read!.version;
      this.#appends.set(stream, {
        expect: expected,
        events: [...events],
        causes: events.map(() => cause),
        of: read?.of ?? null,
      });
    } else {
      if (expect === "new" || (expect === "read" && before.expect === -1)) throw new TakenInBatch(stream);
      before.events.push(...events);
      before.causes.push(...events.map(() => cause));
    }
    if (read) this.#fold(stream, read, events, cause);
  }

  #fold(
    stream: string,
    read: { version: number; state: unknown; of: Stream<unknown> },
    events: readonly NewEvent[],
    cause: Cause,
  ): void {
    let { version, state } = read;
    for (const event of events) {
      version++;
      state = evolve(read.of, state, this.#heard(stream, version, event, cause));
    }
    this.#reading.states.set(stream, { of: read.of, version, state });
  }

  #heard(stream: string, version: number, event: NewEvent, cause: Cause): Heard {
    return {
      type: event.type,
      data: event.data,
      id: "",
      source: event.owner,
      stream,
      version,
      partition: 0,
      sequence: 0,
      time: this.#clock.now(),
      actor: cause.actor,
      correlationid: cause.correlationid,
      causationid: cause.causationid,
    };
  }

  /** The unit, and what it will have recorded (without places, which only the store knows). */
  build(rest: Omit<Unit, "append" | "unchanged" | "jobs"> = {}): Built {
    const appends = [...this.#appends].map(([stream, { expect, events, causes, of }]) => ({
      stream,
      expect,
      of,
      owner: events[0]!.owner,
      events: events.map((event, index) => ({
        id: this.#random.id(),
        type: event.type,
        data: JSON.stringify(event.json),
        meta: JSON.stringify({
          correlationid: causes[index]!.correlationid,
          ...(causes[index]!.actor === null ? {} : { actor: causes[index]!.actor }),
          ...(causes[index]!.causationid === null ? {} : { causationid: causes[index]!.causationid }),
        }),
      })),
    }));
    const owners = new Set(appends.map(({ owner }) => owner));
    if (owners.size > 1) throw new Error(`one unit can't stand in two logs: ${[...owners].join(", ")}`);
    const unchanged = [...this.#guards].flatMap(([stream, version]) =>
      this.#appends.has(stream) ? [] : [{ stream, version }],
    );
    const guardedAny = [...this.#guards].find(([stream]) => this.#appends.get(stream)?.expect === -1);
    if (guardedAny) throw new Error(`${guardedAny[0]} was read and is appended to at any version: use to`);
    const jobs = [...this.#jobs.values()].map(({ job, key, due, payload }) => ({
      name: job,
      key,
      due,
      payload,
    }));
    return { unit: { append: appends, unchanged, jobs, ...rest }, appends, owner: appends[0]?.owner ?? null };
  }
}

/** A unit ready for the store, with what is needed to go on from it in memory. */
export interface Built {
  readonly unit: Unit;
  readonly appends: readonly (Append & { readonly of: Stream<unknown> | null })[];
  /** The log it belongs to; null when nothing is appended. */
  readonly owner: string | null;
}

/** Takes an accepted unit into the states this process knows, so that the next decision needn't read them again. */
export function advance(streams: Streams, { appends }: Built, { appended, time }: Accepted): void {
  appends.forEach((append, index) => {
    if (append.of)
      streams.advance({ id: append.stream, of: append.of }, recordedOf([append], [appended[index]!], time));
  });
}

/** Forgets the states a refused unit was decided on. */
export function forget(streams: Streams, { unit }: Built): void {
  for (const { stream } of [...(unit.append ?? []), ...(unit.unchanged ?? [])]) streams.forget(stream);
}

/** A stream to be created was created by an earlier decision of the same batch: the batch has to be cut there. */
export class TakenInBatch extends Error {
  constructor(readonly stream: string) {
    super(`${stream} exists by now`);
    this.name = "TakenInBatch";
  }
}

/** Turns an accepted unit's appends into recorded events, as a reader would get them. */
export function recordedOf(
  appends: readonly Append[],
  places: readonly { readonly partition: number; readonly first: number; readonly base: number }[],
  time: string,
): Recorded[] {
  return appends.flatMap(({ stream, events }, index) => {
    const place = places[index]!;
    return events.map((event, offset) => ({
      partition: place.partition,
      sequence: place.first + offset + 1,
      stream,
      version: place.base + offset + 1,
      id: event.id,
      type: event.type,
      data: JSON.parse(event.data),
      meta: JSON.parse(event.meta),
      time,
    }));
  });
}
