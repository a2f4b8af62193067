import { asDay } from "@tributary/contracts/dates";
import type { EventType, Heard, NewEvent } from "@tributary/contracts/event";
import { DayBegan } from "@tributary/contracts/events/day";
import type { Addressed, NotYet, Ref } from "@tributary/runtime/decision";
import type { FactsRef } from "@tributary/runtime/facts";
import type { Reaction } from "@tributary/runtime/reaction";
import { partitionOf } from "@tributary/runtime/store/partition";
import { evolve, type Stream } from "@tributary/runtime/stream";
import type { z } from "zod";
import { agreements } from "../src/facts/agreements.ts";
import { accrueEarnings } from "../src/reactions/accrue-earnings.ts";

/** An event as it stands in a log. */
export type Recorded = Heard<string, Record<string, unknown>>;

const versions = new WeakMap<object, Map<string, number>>();
let made = 0;

/** Puts an event into its envelope; versions count up per world and stream. */
export function recorded(world: object, stream: string, { type, owner, data }: NewEvent): Recorded {
  const known = versions.get(world) ?? new Map<string, number>();
  versions.set(world, known);
  const version = (known.get(stream) ?? 0) + 1;
  known.set(stream, version);
  made += 1;
  return {
    type,
    data: data as Record<string, unknown>,
    id: `event-${made}`,
    source: owner,
    stream,
    version,
    partition: partitionOf(stream),
    sequence: made,
    time: "2026-01-05T18:00:00.000Z",
    actor: null,
    correlationid: "c",
    causationid: null,
  };
}

/** One `day/{salt}` stream per partition, as catalog and program have them. */
export const dayStreams: readonly string[] = (() => {
  const found = new Map<number, string>();
  for (let salt = 0; found.size < 16; salt++) {
    const partition = partitionOf(`day/${salt}`);
    if (!found.has(partition)) found.set(partition, `day/${salt}`);
  }
  return [...found.values()];
})();

type Row = z.output<typeof agreements.schema>;

/** What accrue-earnings does with what it hears, in memory: facts folded, decisions taken, what waits asked again. */
export class World {
  readonly told: NewEvent[] = [];
  readonly waiting: { event: Recorded; cause: string }[] = [];
  readonly #rows = new Map<string, Row>();
  readonly #states = new Map<string, unknown>();

  /** Hears what another service recorded on a stream of its own. */
  hear(stream: string, ...events: NewEvent[]): this {
    for (const event of events) this.take(recorded(this, stream, event));
    return this;
  }

  /** Hears of a day from both sources and all their partitions. */
  begin(date: string, except: readonly string[] = []): this {
    for (const stream of dayStreams) {
      if (except.includes(stream)) continue;
      this.hear(stream, DayBegan.catalog({ date: asDay(date) }));
      this.hear(stream, DayBegan.program({ date: asDay(date) }));
    }
    return this;
  }

  take(event: Recorded): void {
    this.#fold(event);
    if (accrueEarnings.on.some((type) => concerns(type, event))) {
      if (this.waiting.some(({ event: { stream } }) => stream === event.stream))
        this.waiting.push({ event, cause: "waits behind its stream" });
      else this.#decide(event);
    } else {
      for (const { event: again } of this.waiting.splice(0)) {
        if (this.waiting.some(({ event: { stream } }) => stream === again.stream))
          this.waiting.push({ event: again, cause: "waits behind its stream" });
        else this.#decide(again);
      }
    }
  }

  /** Hears a reaction's event again, as a reader does that begins at zero under a new name. */
  again(event: Recorded): void {
    this.#decide(event);
  }

  /** Everything known to be agreed, by key. */
  rows(): [string, Row][] {
    return [...this.#rows].toSorted(([a], [b]) => (a < b ? -1 : 1));
  }

  /** What is known of something agreed. */
  known({ key }: FactsRef<Row>): Row | null {
    return this.#rows.get(key) ?? null;
  }

  #fold(event: Recorded): void {
    const handler = agreements.on.find(({ event: type }) => concerns(type, event));
    if (!handler) return;
    const ref = agreements.at(agreements.key(event) as string);
    const row = handler.fold(this.known(ref), event as Heard<string, never>);
    if (row) this.#rows.set(ref.key, row);
  }

  #read(refs: Record<string, Ref | readonly Ref[]>): Record<string, unknown> {
    const one = (ref: Ref): unknown => {
      if (ref.kind === "facts") return this.known(ref as FactsRef<Row>);
      if (ref.kind === "stream") return this.#states.get(ref.id) ?? (ref.of as Stream<unknown>).initial;
      throw new Error(`${ref.kind} is not read here`);
    };
    return Object.fromEntries(
      Object.entries(refs).map(([name, ref]) => [name, Array.isArray(ref) ? ref.map(one) : one(ref as Ref)]),
    );
  }

  #decide(event: Recorded): void {
    const reaction = accrueEarnings as Reaction;
    const refs = reaction.reads(event as never) as Record<string, Ref>;
    const first = this.#read(refs);
    const second = reaction.andThen(event as never, first as never) as Record<string, Ref[]>;
    const outcome = reaction.decide(
      event as never,
      { ...first, ...this.#read(second) } as never,
      undefined as never,
    );
    if ("kind" in outcome) {
      this.waiting.push({ event, cause: (outcome as NotYet).cause });
      return;
    }
    const streams = Object.values(refs).filter((ref) => ref.kind === "stream");
    for (const { stream, events } of outcome as readonly Addressed[]) {
      const of = streams.find(({ id }) => id === stream)?.of as Stream<unknown> | undefined;
      if (!of) throw new Error(`${stream} was not read`);
      for (const fact of events) {
        const stored = recorded(this, stream, fact);
        this.#states.set(stream, evolve(of, this.#states.get(stream) ?? of.initial, stored));
        this.told.push(fact);
      }
    }
  }
}

const concerns = ({ type, owner }: EventType, event: Recorded): boolean =>
  type === event.type && owner === event.source;
