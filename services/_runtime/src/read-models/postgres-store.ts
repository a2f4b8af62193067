import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type pg from "pg";
import { from as copyFrom } from "pg-copy-streams";
import { canonical } from "../canonical.ts";
import { PARTITIONS, type Vector, zero } from "../store/partition.ts";
import type { DocumentRow, DocumentStore } from "./document-store.ts";
import type { Documents } from "./documents.ts";
import { expression } from "./fields.ts";
import { PostgresDocuments } from "./postgres-query.ts";
import type { ReadModel } from "./read-model.ts";

const BUILDING = 7_200_000;

const escaped = (text: string): string =>
  text.replace(/[\\\t\n\r]/g, (found) => ({ "\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r" })[found]!);

function* copyLines(rows: Iterable<DocumentRow>): Generator<string> {
  let lines = "";
  for (const { id, doc, revision, watermark, held } of rows) {
    const json = (value: unknown): string => (value === null ? "\\N" : escaped(canonical(value)));
    lines += `${escaped(id)}\t${json(doc)}\t${revision}\t${json(watermark)}\t${json(held)}\n`;
    if (lines.length > 1 << 18) {
      yield lines;
      lines = "";
    }
  }
  if (lines) yield lines;
}

/** Documents as jsonb beside their checkpoints, in the service's own database. */
export class PostgresDocumentStore implements DocumentStore {
  readonly #table: string;
  readonly #reader: string;

  constructor(
    readonly pool: pg.Pool,
    readonly model: ReadModel<never>,
  ) {
    const name = model.name.replaceAll("-", "_");
    this.#table = `documents.${name}_v${model.version}`;
    this.#reader = `${model.name}@${model.version}`;
  }

  /** The table, for whoever compares its bytes. */
  get table(): string {
    return this.#table;
  }

  async ready(): Promise<boolean> {
    const { rows } = await this.pool.query(
      "select ready from runtime.read_models where name = $1 and version = $2",
      [this.model.name, this.model.version],
    );
    return rows[0]?.ready === true;
  }

  async load(ids: readonly string[]): Promise<Map<string, DocumentRow>> {
    const { rows } = await this.pool.query<DocumentRow>({
      name: `load_${this.#table}`,
      text: `select id, doc, revision, watermark, held from ${this.#table} where id = any($1::text[])`,
      values: [ids],
    });
    return new Map(rows.map((row) => [row.id, row]));
  }

  async write(rows: readonly DocumentRow[]): Promise<Set<string>> {
    const json = (value: unknown): string | null => (value === null ? null : canonical(value));
    const { rows: written } = await this.pool.query<{ id: string }>({
      name: `write_${this.#table}`,
      text: `insert into ${this.#table} as d (id, doc, revision, watermark, held)
        select * from unnest($1::text[], $2::jsonb[], $3::bigint[], $4::jsonb[], $5::jsonb[])
        on conflict (id) do update set doc = excluded.doc, revision = excluded.revision, watermark = excluded.watermark, held = excluded.held
        where d.revision = excluded.revision - 1 returning id`,
      values: [
        rows.map(({ id }) => id),
        rows.map(({ doc }) => json(doc)),
        rows.map(({ revision }) => revision + 1),
        rows.map(({ watermark }) => json(watermark)),
        rows.map(({ held }) => json(held)),
      ],
    });
    return new Set(written.map(({ id }) => id));
  }

  async checkpoint(source: string): Promise<Vector> {
    const { rows } = await this.pool.query(
      "select partition, position from runtime.checkpoints where reader = $1 and source = $2",
      [this.#reader, source],
    );
    const vector = zero();
    for (const { partition, position } of rows) vector[partition] = Number(position);
    return vector;
  }

  async move(source: string, from: readonly number[], to: readonly number[]): Promise<Vector | null> {
    const moved = to.flatMap((position, partition) => (position > from[partition]! ? [partition] : []));
    if (moved.length === 0) return null;
    const { rows } = await this.pool.query({
      name: "move_checkpoint",
      text: `insert into runtime.checkpoints as k (reader, source, partition, position)
        select $1, $2, m.partition, m.t from unnest($3::int[], $4::bigint[], $5::bigint[]) m(partition, f, t) where m.f = 0 or exists (
          select from runtime.checkpoints k where k.reader = $1 and k.source = $2 and k.partition = m.partition and k.position = m.f)
        on conflict (reader, source, partition) do update set position = excluded.position
        where k.position = any(array(select m.f from unnest($3::int[], $4::bigint[]) m(partition, f) where m.partition = excluded.partition))
        returning partition`,
      values: [
        this.#reader,
        source,
        moved,
        moved.map((partition) => from[partition]),
        moved.map((partition) => to[partition]),
      ],
    });
    return rows.length === moved.length ? null : this.checkpoint(source);
  }

  async build(
    fold: () => Promise<{
      rows: Iterable<DocumentRow>;
      positions: Readonly<Record<string, readonly number[]>>;
    }>,
  ): Promise<void> {
    const client = await this.pool.connect();
    try {
      await client.query("select pg_advisory_lock($1, hashtext($2))", [BUILDING, this.#reader]);
      try {
        if (await this.ready()) return;
        const { rows, positions } = await fold();
        await client.query("begin");
        await client.query("set local client_min_messages = warning");
        await client.query(`drop table if exists ${this.#table}`);
        await client.query(
          `create table ${this.#table} (id text collate "C" not null, doc jsonb, revision bigint not null, watermark jsonb not null, held jsonb)`,
        );
        await pipeline(
          Readable.from(copyLines(rows)),
          client.query(copyFrom(`copy ${this.#table} from stdin`)),
        );
        await client.query(`alter table ${this.#table} add primary key (id)`);
        for (const [index, fields] of this.model.indexes.entries()) {
          const name = `${this.#table.split(".")[1]}_${index}`;
          await client.query(
            `create index ${name} on ${this.#table} (${fields.map((field) => expression(this.model.schema, field)).join(", ")}, id)`,
          );
        }
        for (const [source, position] of Object.entries(positions)) {
          await client.query(
            `insert into runtime.checkpoints (reader, source, partition, position) select $1, $2, p, ($3::bigint[])[p + 1] from generate_series(0, ${PARTITIONS - 1}) p
             on conflict (reader, source, partition) do update set position = excluded.position`,
            [this.#reader, source, position],
          );
        }
        await client.query(
          "update runtime.read_models set superseded_at = clock_timestamp() where name = $1 and version < $2 and superseded_at is null",
          [this.model.name, this.model.version],
        );
        await client.query(
          "insert into runtime.read_models (name, version, ready) values ($1, $2, true) on conflict (name, version) do update set ready = true, superseded_at = null",
          [this.model.name, this.model.version],
        );
        await client.query("commit");
        await client.query(`analyze ${this.#table}`);
      } catch (error) {
        await client.query("rollback");
        throw error;
      } finally {
        await client.query("select pg_advisory_unlock($1, hashtext($2))", [BUILDING, this.#reader]);
      }
    } finally {
      client.release();
    }
  }

  async heldDocuments(): Promise<DocumentRow[]> {
    const { rows } = await this.pool.query<DocumentRow>(
      `select id, doc, revision, watermark, held from ${this.#table} where held is not null order by id limit 1000`,
    );
    return rows;
  }

  documents<T>(): Documents<T> {
    return new PostgresDocuments<T>(this.pool, this.#table, this.model.schema);
  }

  async dropOld(): Promise<void> {
    const { rows } = await this.pool.query(
      "delete from runtime.read_models where name = $1 and superseded_at < clock_timestamp() - interval '1 day' returning version",
      [this.model.name],
    );
    for (const { version } of rows) {
      await this.pool.query(
        `drop table if exists documents.${this.model.name.replaceAll("-", "_")}_v${version}`,
      );
      await this.pool.query("delete from runtime.checkpoints where reader = $1", [
        `${this.model.name}@${version}`,
      ]);
    }
  }
}
