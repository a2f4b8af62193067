import type { Heard } from "@tributary/contracts/event";
import { LRUCache } from "lru-cache";
import type pg from "pg";
import { heardFrom } from "../log/heard.ts";
import type { Recorded } from "../log/log.ts";
import { evolve, type Stream } from "../stream.ts";

/** A stream as far as it has been folded. */
export interface Folded {
  readonly version: number;
  readonly state: unknown;
}

/** A stream that is asked for: which one, and how it folds. */
export interface Asked {
  readonly id: string;
  readonly of: Stream<unknown>;
}

interface Cached extends Folded {
  readonly of: Stream<unknown>;
}

/** Folded states of a log's streams, kept by stream and version, so that only what is new has to be read. */
export class Streams {
  readonly #cache = new LRUCache<string, Cached>({ max: 20_000 });

  constructor(
    readonly pool: pg.Pool,
    readonly log: string,
  ) {}

  /** What is known without asking the engine; it may be behind, which an append would notice. */
  known({ id, of }: Asked): Folded | undefined {
    const cached = this.#cache.get(id);
    return cached?.of === of ? cached : undefined;
  }

  /** Folds all of these streams up to now, in one query. */
  async load(asked: readonly Asked[]): Promise<Map<string, Folded>> {
    const folded = new Map<string, Cached>();
    for (const { id, of } of asked) {
      const cached = this.#cache.get(id);
      folded.set(id, cached?.of === of ? cached : { version: 0, state: of.initial, of });
    }
    if (folded.size === 0) return folded;
    const { rows } = await this.pool.query<Recorded>({
      name: `streams_${this.log}`,
      text: `select e.partition, e.sequence, e.stream, e.version, e.id, e.type, e.data, e.meta, e.recorded_at as time
        from unnest($1::text[], $2::int[]) s(stream, after)
        cross join lateral (select * from ${this.log}.events e where e.stream = s.stream and e.version > s.after order by e.version) e`,
      values: [[...folded.keys()], [...folded.values()].map(({ version }) => version)],
    });
    for (const row of rows) {
      const before = folded.get(row.stream)!;
      folded.set(row.stream, { of: before.of, version: row.version, state: this.#next(before, row) });
    }
    for (const [id, cached] of folded) this.#cache.set(id, cached);
    return folded;
  }

  #next({ of, state }: Cached, row: Recorded): unknown {
    const handler = of.handlers.get(row.type);
    return handler ? evolve(of, state, heardFrom(this.log, row, handler.event)) : state;
  }

  /** Takes over what an append of this process has just added, if it follows what is known. */
  advance({ id, of }: Asked, events: readonly Recorded[]): Folded | undefined {
    const cached = this.#cache.get(id);
    let folded: Cached = cached?.of === of ? cached : { version: 0, state: of.initial, of };
    for (const event of events) {
      if (event.version <= folded.version) continue;
      if (event.version !== folded.version + 1) return undefined;
      folded = { of, version: event.version, state: this.#next(folded, event) };
    }
    this.#cache.set(id, folded);
    return folded;
  }

  /** Forgets what is known of a stream, after an append whose outcome is unknown or refused. */
  forget(id: string): void {
    this.#cache.delete(id);
  }
}

/** The envelope a fact gets on its way into the store. */
export type Meta = { actor?: string; correlationid: string; causationid?: string };

/** Whether a heard event is one of the types a listener declared, by who said it and what. */
export const keyOfType = (source: string, type: string): string => `${source}:${type}`;

export type { Heard };
