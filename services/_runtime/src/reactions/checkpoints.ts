import type pg from "pg";
import type { Recorded } from "../log/log.ts";
import { type Vector, zero } from "../store/partition.ts";
import type { HeldKey } from "../store/unit.ts";

/** An event that waits, as the table of held events keeps it. */
export interface HeldRow extends HeldKey {
  readonly partition: number;
  readonly event: Recorded;
  readonly tenant: string | null;
  readonly kind: "not-yet" | "failed";
  readonly cause: string;
  readonly attempts: number;
  readonly ripe: boolean;
  readonly held_at: string;
}

/** Where readers stand and what they hold, as the engine keeps it. */
export class Checkpoints {
  constructor(readonly pool: pg.Pool) {}

  async position(reader: string, source: string): Promise<Vector> {
    const { rows } = await this.pool.query({
      name: "checkpoint",
      text: "select partition, position from runtime.checkpoints where reader = $1 and source = $2",
      values: [reader, source],
    });
    const vector = zero();
    for (const { partition, position } of rows) vector[partition] = Number(position);
    return vector;
  }

  /** Writes where a reader begins, unless it has begun already. */
  async begin(reader: string, source: string, at: readonly number[]): Promise<void> {
    await this.pool.query(
      "insert into runtime.checkpoints (reader, source, partition, position) select $1, $2, p - 1, t from unnest($3::bigint[]) with ordinality x(t, p) on conflict do nothing",
      [reader, source, at],
    );
  }

  /** Which of these streams have an event waiting. */
  async heldStreams(reader: string, source: string, streams: readonly string[]): Promise<Set<string>> {
    const { rows } = await this.pool.query({
      name: "held_streams",
      text: "select distinct stream from runtime.held where reader = $1 and source = $2 and stream = any($3::text[])",
      values: [reader, source, streams],
    });
    return new Set(rows.map(({ stream }) => stream as string));
  }

  /** Everything a reader holds of a source (any when null), oldest first within a stream. */
  async held(
    reader: string | null,
    source: string | null,
    limit: number,
    after: HeldKey | null = null,
  ): Promise<HeldRow[]> {
    const { rows } = await this.pool.query<HeldRow>(
      `select reader, source, stream, partition, sequence, event, tenant, kind, cause, attempts, due <= clock_timestamp() as ripe, held_at from runtime.held
       where ($1::text is null or reader = $1) and ($2::text is null or source = $2)
         and ($4::text is null or (reader, source, stream, sequence) > ($4, $5, $6, $7::bigint))
       order by reader, source, stream, sequence limit $3`,
      [
        reader,
        source,
        limit,
        after?.reader ?? null,
        after?.source ?? null,
        after?.stream ?? null,
        after?.sequence ?? null,
      ],
    );
    return rows;
  }

  /** One held event per tenant of a reader and source: enough to know who is incomplete, and why. */
  async heldTenants(
    reader: string,
    source: string,
  ): Promise<{ tenant: string | null; stream: string; cause: string }[]> {
    const { rows } = await this.pool.query({
      name: "held_tenants",
      text: "select distinct on (tenant) tenant, stream, cause from runtime.held where reader = $1 and source = $2 order by tenant, stream, sequence",
      values: [reader, source],
    });
    return rows;
  }

  /** Readers that have held something for longer than this (real time), with their oldest cause. */
  async heldLongerThan(
    milliseconds: number,
  ): Promise<{ reader: string; source: string; count: number; oldest: string; cause: string }[]> {
    const { rows } = await this.pool.query(
      `select reader, source, count(*)::int as count, min(held_at) as oldest, (array_agg(cause order by held_at))[1] as cause
       from runtime.held where held_at < clock_timestamp() - make_interval(secs => $1) group by reader, source order by reader, source`,
      [milliseconds / 1000],
    );
    return rows;
  }

  /** Lets a failed event be tried again at once, as if it had never failed. False when nothing is held there. */
  async release({ reader, source, stream, sequence }: HeldKey): Promise<boolean> {
    const { rowCount } = await this.pool.query(
      "update runtime.held set due = clock_timestamp(), attempts = 0 where reader = $1 and source = $2 and stream = $3 and sequence = $4",
      [reader, source, stream, sequence],
    );
    return rowCount === 1;
  }

  /** Takes a held event off the table undecided; what waits behind it goes on. False when nothing is held there. */
  async discard({ reader, source, stream, sequence }: HeldKey): Promise<boolean> {
    const { rowCount } = await this.pool.query(
      "delete from runtime.held where reader = $1 and source = $2 and stream = $3 and sequence = $4",
      [reader, source, stream, sequence],
    );
    return rowCount === 1;
  }
}
