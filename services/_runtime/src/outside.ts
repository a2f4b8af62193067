import type pg from "pg";
import type { Client, Settings, Sql, Use } from "./client.ts";
import { readSettings } from "./config.ts";
import type { Host } from "./host.ts";
import type { Logger } from "./logs.ts";
import type { Service } from "./service.ts";

/** What a service's clients of the outside world are made from, besides its host. */
export interface OutsideOptions {
  readonly service: Service;
  readonly host: Host;
  readonly logger: Logger;
  readonly pool: pg.Pool;
  /** Connections of their own for what holds an advisory lock while it works. */
  readonly locks: pg.Pool;
  /** Clients to use in place of the declared ones. */
  readonly replacements: readonly (readonly [Client<never>, unknown])[];
  /** Ends every pause. */
  readonly stopping: AbortSignal;
}

/** Gives clients and settings by their tokens, each made once. Throws BadConfig when settings are missing. */
export function outsideOf({
  service,
  host,
  logger,
  pool,
  locks,
  replacements,
  stopping,
}: OutsideOptions): Use {
  const settings = readSettings(
    service.settings.map(({ schema }) => schema),
    host.env,
  );
  const instances = new Map<Client<unknown>, unknown>(
    replacements.map(([token, instance]) => [token as Client<unknown>, instance]),
  );
  const { network, clock, random } = host;
  const sql = privateTables(pool, locks);
  const pause = pauses(stopping);
  const use: Use = <T>(token: Client<T> | Settings<T>): T => {
    if (token.kind === "settings") {
      if (!settings.has(token.schema)) throw new Error(`${service.name} uses settings it doesn't declare`);
      return settings.get(token.schema) as T;
    }
    if (!instances.has(token)) {
      const log = logger.child({ client: token.name });
      instances.set(token, token.make({ use, network, clock, random, sql, log, pause }));
    }
    return instances.get(token) as T;
  };
  return use;
}

const privateTables = (pool: pg.Pool, locks: pg.Pool): Sql => ({
  query: async <R>(text: string, values: readonly unknown[] = []) =>
    (await pool.query(text, [...values])).rows as R[],
  alone: async (key, work) => {
    const client = await locks.connect();
    try {
      await client.query("select pg_advisory_lock(hashtext('alone'), hashtext($1))", [key]);
      try {
        return await work();
      } finally {
        await client.query("select pg_advisory_unlock(hashtext('alone'), hashtext($1))", [key]);
      }
    } finally {
      client.release();
    }
  },
});

const pauses =
  (stopping: AbortSignal) =>
  (milliseconds: number): Promise<void> =>
    new Promise((resolve, reject) => {
      const stop = (): void => {
        clearTimeout(timer);
        reject(new Error("the service stops"));
      };
      const timer = setTimeout(() => {
        stopping.removeEventListener("abort", stop);
        resolve();
      }, milliseconds);
      stopping.addEventListener("abort", stop, { once: true });
    });
