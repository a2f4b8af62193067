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
import { type Postgres, startPostgres } from "../postgres/start-postgres.ts";
import { sandboxEnvironment } from "../sandbox-environment.ts";
import { localSecrets } from "../secrets.ts";
import { listeners } from "../services.ts";
import type { Figure } from "./table.ts";

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
  /** Those of the whole system, for a service that hears others. */
  migratedAll(): Promise<void>;
  /** A pool like the one a service works with, under its role. */
  pool(service: string): pg.Pool;
  /** Statements by the superuser in the database of a service. */
  asAdmin(service: string, statements: string): Promise<void>;
}

/** Opens ground for some figures, and takes it away when they are known. */
export async function onGround(measure: (ground: Ground) => Promise<Figure[]>): Promise<Figure[]> {
  const directory = throwAwayDirectory();
  let postgres: Postgres | undefined;
  try {
    postgres = await startPostgres({ dataDir: join(directory, "postgres"), name: "postgres" });
    return await measure(groundOn(directory, postgres));
  } finally {
    await postgres?.stop();
    removeDirectory(directory);
  }
}

function groundOn(directory: string, postgres: Postgres): Ground {
  const secret = localSecrets(directory);
  const host = (): Host =>
    hostOf({
      process: "bench",
      env: sandboxEnvironment(NOWHERE, NOWHERE, secret),
      clock: realClock,
      postgres: { host: "127.0.0.1", port: postgres.port },
      secret,
      level: "error",
    });
  const migrated = async (...them: readonly Service[]): Promise<void> => {
    for (const service of them) await migrate(postgres.url, service, rolePassword(secret));
  };
  return {
    secret,
    host,
    migrated,
    migratedAll: () => migrated(...listeners),
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
  };
}
