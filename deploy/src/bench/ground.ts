import { join } from "node:path";
import type { Host } from "@tributary/runtime/host";
import { logger } from "@tributary/runtime/logs";
import { realClock } from "@tributary/runtime/ports/clock";
import type { Service } from "@tributary/runtime/service";
import { databaseOf, migrate } from "@tributary/runtime/store/migrate";
import { openPool } from "@tributary/runtime/store/pool";
import pg from "pg";
import { removeDirectory, throwAwayDirectory } from "../demo/throw-away.ts";
import { hostOf, rolePassword } from "../host.ts";
import { startPostgres } from "../postgres/start-postgres.ts";
import { sandboxEnvironment } from "../sandbox-environment.ts";
import { localSecrets } from "../secrets.ts";

const CONNECTIONS = 6;
/** Nobody listens there: what is measured here reaches no partner. */
const NOWHERE = "http://127.0.0.1:9";

/** A PostgreSQL that syncs its disk, on a directory that is thrown away, and hosts for what is measured on it. */
export interface Ground {
  readonly secret: (name: string) => string;
  /** A host as a process of its own would have it; close its tails when done. */
  host(): Host;
  /** Creates the databases of these services, as a start does. */
  migrated(...services: readonly Service[]): Promise<void>;
  /** A pool like the one a service works with, under its role. */
  pool(service: string): pg.Pool;
  /** Statements by the superuser in the database of a service. */
  asAdmin(service: string, statements: string): Promise<void>;
  close(): Promise<void>;
}

/** Opens the ground for all figures of a run. */
export async function openGround(): Promise<Ground> {
  const directory = throwAwayDirectory();
  const secret = localSecrets(directory);
  const postgres = await startPostgres({ dataDir: join(directory, "postgres"), name: "postgres" });
  const host = (): Host =>
    hostOf({
      process: "bench",
      env: sandboxEnvironment(NOWHERE, NOWHERE, secret),
      clock: realClock,
      postgres: { host: "127.0.0.1", port: postgres.port },
      secret,
      level: "error",
    });
  return {
    secret,
    host,
    async migrated(...services) {
      for (const service of services) await migrate(postgres.url, service, rolePassword(secret));
    },
    pool: (service) =>
      openPool(host().databaseUrl(service), { max: CONNECTIONS, log: logger("bench", "error") }),
    async asAdmin(service, statements) {
      const url = new URL(postgres.url);
      url.pathname = `/${databaseOf(service)}`;
      const client = new pg.Client({ connectionString: url.href });
      await client.connect();
      try {
        await client.query(statements);
      } finally {
        await client.end();
      }
    },
    async close() {
      await postgres.stop();
      removeDirectory(directory);
    },
  };
}
