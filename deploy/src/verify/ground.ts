import { logger } from "@tributary/runtime/logs";
import { databaseOf } from "@tributary/runtime/store/migrate";
import { openPool } from "@tributary/runtime/store/pool";
import type pg from "pg";
import { listeners, ownerOf } from "../services.ts";

const CHUNK = 2000;

/** One database as it stood at one moment, whoever goes on writing to it. */
export class Snapshot {
  readonly #pool: pg.Pool;
  readonly #client: pg.PoolClient;
  #cursors = 0;

  private constructor(pool: pg.Pool, client: pg.PoolClient) {
    this.#pool = pool;
    this.#client = client;
  }

  static async of(url: string): Promise<Snapshot> {
    const settings = "-c idle_in_transaction_session_timeout=0";
    const pool = openPool(url, { max: 1, log: logger("verify", "warn"), settings });
    try {
      const client = await pool.connect();
      await client.query("begin isolation level repeatable read read only");
      await client.query("select pg_current_snapshot()");
      return new Snapshot(pool, client);
    } catch (error) {
      await pool.end();
      throw error;
    }
  }

  async rows<R extends pg.QueryResultRow>(text: string, values: readonly unknown[] = []): Promise<R[]> {
    return (await this.#client.query<R>(text, [...values])).rows;
  }

  /** The rows of a query of any size, some thousand at a time. */
  async *stream<R extends pg.QueryResultRow>(
    text: string,
    values: readonly unknown[] = [],
  ): AsyncGenerator<R> {
    const cursor = `verify_${++this.#cursors}`;
    await this.#client.query(`declare ${cursor} no scroll cursor for ${text}`, [...values]);
    try {
      for (;;) {
        const rows = await this.rows<R>(`fetch ${CHUNK} from ${cursor}`);
        if (rows.length === 0) return;
        yield* rows;
      }
    } finally {
      await this.#client.query(`close ${cursor}`);
    }
  }

  async close(): Promise<void> {
    this.#client.release(true);
    await this.#pool.end();
  }
}

/**
 * A data directory at a standstill. What services know is looked at before their logs are, and the logs of those who hear before
 * the logs of those who are heard: so whatever somebody claims to have heard can be read, also while all of them work.
 */
export class Ground {
  private constructor(
    readonly states: ReadonlyMap<string, Snapshot>,
    readonly logs: ReadonlyMap<string, Snapshot>,
  ) {}

  /** Opens the databases of all services; `addressOf` gives a superuser's address of a database by its name. */
  static async open(addressOf: (database: string) => string): Promise<Ground> {
    const states = new Map<string, Snapshot>();
    const logs = new Map<string, Snapshot>();
    const ground = new Ground(states, logs);
    const downstreamFirst = listeners.map(({ name }) => name).reverse();
    try {
      for (const snapshots of [states, logs])
        for (const name of downstreamFirst)
          snapshots.set(name, await Snapshot.of(addressOf(databaseOf(name))));
      return ground;
    } catch (error) {
      await ground.close();
      throw error;
    }
  }

  /** Documents, checkpoints and what is held. */
  state = (service: string): Snapshot => this.states.get(service)!;
  /** The database that holds a log. */
  log = (log: string): Snapshot => this.logs.get(ownerOf(log))!;

  async close(): Promise<void> {
    for (const snapshot of [...this.states.values(), ...this.logs.values()]) await snapshot.close();
  }
}
