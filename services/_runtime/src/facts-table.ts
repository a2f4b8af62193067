import type pg from "pg";
import { z } from "zod";
import { canonical } from "./canonical.ts";
import type { Facts } from "./facts.ts";
import { heardFrom } from "./log/heard.ts";
import type { Recorded } from "./log/log.ts";
import type { Move } from "./store/unit.ts";
import type { When } from "./stream.ts";

/** The rows of one facts table, written in the transaction that moves their checkpoint. */
export class FactsTable {
  readonly #table: string;
  readonly #bySource = new Map<string, Map<string, When<unknown>>>();

  constructor(
    readonly pool: pg.Pool,
    readonly facts: Facts<never>,
  ) {
    this.#table = `documents.facts_${facts.name.replaceAll("-", "_")}`;
    for (const when of facts.on as unknown as readonly When<unknown>[]) {
      const types = this.#bySource.get(when.event.owner) ?? new Map<string, When<unknown>>();
      types.set(when.event.type, when);
      this.#bySource.set(when.event.owner, types);
    }
  }

  get sources(): string[] {
    return [...this.#bySource.keys()];
  }

  async create(): Promise<void> {
    await this.pool.query(
      `create table if not exists ${this.#table} (key text collate "C" primary key, fact jsonb not null)`,
    );
  }

  hears(source: string, event: Recorded): boolean {
    return this.#bySource.get(source)?.has(event.type) === true;
  }

  /** Facts by key, decoded; absent ones are absent. */
  async load(keys: readonly string[]): Promise<Map<string, unknown>> {
    return this.#load(this.pool, keys);
  }

  async #load(on: pg.Pool | pg.PoolClient, keys: readonly string[]): Promise<Map<string, unknown>> {
    const { rows } = await on.query({
      name: `facts_${this.#table}`,
      text: `select key, fact from ${this.#table} where key = any($1::text[])`,
      values: [keys],
    });
    return new Map(
      rows.map(({ key, fact }) => [key as string, z.decode(this.facts.schema as z.ZodType, fact)]),
    );
  }

  /**
   * Folds events of a source and moves the checkpoints from where this process believes them to be. False when somebody else has
   * moved them: nothing was written. A fold that throws, or an event that doesn't fit, stops this reader loudly.
   */
  async fold(source: string, events: readonly Recorded[], moves: readonly Move[]): Promise<boolean> {
    const heard = events.flatMap((event) => {
      const when = this.#bySource.get(source)?.get(event.type);
      if (!when) return [];
      const told = heardFrom(source, event, when.event);
      const key = this.facts.key(told);
      return [{ when, told, keys: key === null ? [] : typeof key === "string" ? [key] : [...new Set(key)] }];
    });
    const client = await this.pool.connect();
    let broken: Error | undefined;
    try {
      await client.query("begin");
      await client.query("select pg_advisory_xact_lock(hashtext($1), 0)", [this.#table]);
      const { rows } = await client.query(
        `select m.partition from unnest($3::int[], $4::bigint[]) m(partition, f)
         where m.f <> coalesce((select k.position from runtime.checkpoints k where k.reader = $1 and k.source = $2 and k.partition = m.partition), 0)`,
        [moves[0]?.reader, source, moves.map(({ partition }) => partition), moves.map(({ from }) => from)],
      );
      if (rows.length > 0) {
        await client.query("rollback");
        return false;
      }
      const keys = [...new Set(heard.flatMap(({ keys }) => keys))].sort();
      const facts: Map<string, unknown> = keys.length > 0 ? await this.#load(client, keys) : new Map();
      for (const { when, told, keys } of heard) {
        for (const key of keys) facts.set(key, when.fold(facts.get(key) ?? null, told as never) ?? null);
      }
      const changed = keys.filter((key) => facts.get(key) !== null && facts.get(key) !== undefined);
      const gone = keys.filter((key) => facts.get(key) === null);
      if (changed.length > 0) {
        await client.query(
          `insert into ${this.#table} as f (key, fact) select * from unnest($1::text[], $2::jsonb[]) on conflict (key) do update set fact = excluded.fact`,
          [
            changed,
            changed.map((key) =>
              canonical(z.encode(this.facts.schema as z.ZodType, facts.get(key) as never)),
            ),
          ],
        );
      }
      if (gone.length > 0)
        await client.query(`delete from ${this.#table} where key = any($1::text[])`, [gone]);
      await client.query(
        `insert into runtime.checkpoints (reader, source, partition, position) select $1, $2, m.partition, m.t from unnest($3::int[], $4::bigint[]) m(partition, t)
         on conflict (reader, source, partition) do update set position = excluded.position`,
        [moves[0]?.reader, source, moves.map(({ partition }) => partition), moves.map(({ to }) => to)],
      );
      await client.query("commit");
      return true;
    } catch (error) {
      await client.query("rollback").catch((reason: Error) => {
        broken = reason;
      });
      throw error;
    } finally {
      client.release(broken);
    }
  }
}
