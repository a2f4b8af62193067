import { databaseOf } from "@tributary/runtime/store/migrate";
import { PARTITIONS, partitionOf } from "@tributary/runtime/store/partition";
import type { StoredEvent } from "@tributary/runtime/store/unit";
import type pg from "pg";
import type { Ground } from "./ground.ts";

const COLUMNS = "partition, sequence, stream, version, id, type, data, meta, recorded_at";

/** One event and the stream it goes to. */
export interface Addressed {
  readonly stream: string;
  readonly event: StoredEvent;
}

/**
 * The peer of the event store: a table with the same columns and indexes, filled by plain prepared statements over the same kind
 * of pool. It checks nothing: sequences and versions are counted here, so only one process can write it.
 */
export class RawEvents {
  readonly #sequences = new Array<number>(PARTITIONS).fill(0);
  readonly #versions = new Map<string, number>();

  private constructor(readonly pool: pg.Pool) {}

  static async create(ground: Ground, service: string, log: string, pool: pg.Pool): Promise<RawEvents> {
    const role = databaseOf(service);
    await ground.asAdmin(
      service,
      `create schema raw; create table raw.events (like ${log}.events including all);
       grant usage on schema raw to ${role}; grant select, insert on raw.events to ${role};`,
    );
    return new RawEvents(pool);
  }

  #place(stream: string): { partition: number; sequence: number; version: number } {
    const partition = partitionOf(stream);
    const sequence = this.#sequences[partition]! + 1;
    this.#sequences[partition] = sequence;
    const version = (this.#versions.get(stream) ?? 0) + 1;
    this.#versions.set(stream, version);
    return { partition, sequence, version };
  }

  /** Many rows by one statement. */
  async insertAll(rows: readonly Addressed[]): Promise<void> {
    const places = rows.map(({ stream }) => this.#place(stream));
    await this.pool.query({
      name: "raw_insert_all",
      text: `insert into raw.events (${COLUMNS})
        select p, s, stream, v, id, type, data::jsonb, meta::jsonb, $9::timestamptz
        from unnest($1::smallint[], $2::bigint[], $3::text[], $4::int[], $5::uuid[], $6::text[], $7::text[], $8::text[])
          e(p, s, stream, v, id, type, data, meta)`,
      values: [
        places.map(({ partition }) => partition),
        places.map(({ sequence }) => sequence),
        rows.map(({ stream }) => stream),
        places.map(({ version }) => version),
        rows.map(({ event }) => event.id),
        rows.map(({ event }) => event.type),
        rows.map(({ event }) => event.data),
        rows.map(({ event }) => event.meta),
        new Date().toISOString(),
      ],
    });
  }

  /** One row by one statement. */
  async insert({ stream, event }: Addressed): Promise<void> {
    const { partition, sequence, version } = this.#place(stream);
    await this.pool.query({
      name: "raw_insert",
      text: `insert into raw.events (${COLUMNS}) values ($1,$2,$3,$4,$5,$6,$7,$8,$9)`,
      values: [
        partition,
        sequence,
        stream,
        version,
        event.id,
        event.type,
        event.data,
        event.meta,
        new Date().toISOString(),
      ],
    });
  }
}
