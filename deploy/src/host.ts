import type { Host } from "@tributary/runtime/host";
import { PostgresLog } from "@tributary/runtime/log/postgres-log";
import { Tails } from "@tributary/runtime/log/tails";
import { logger } from "@tributary/runtime/logs";
import type { Clock } from "@tributary/runtime/ports/clock";
import { realNetwork } from "@tributary/runtime/ports/network";
import { systemRandom } from "@tributary/runtime/ports/random";
import { databaseOf, readerOf } from "@tributary/runtime/store/migrate";
import { ownerOf } from "./services.ts";

/** What a process of this checkout's own system is made of. */
export interface HostOptions {
  readonly process: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  /** Where PostgreSQL listens; roles and databases are named by the runtime. */
  readonly postgres: { readonly host: string; readonly port: number };
  readonly secret: (name: string) => string;
  readonly level?: string;
}

/** The password of a role of this checkout's own PostgreSQL. */
export const rolePassword =
  (secret: (name: string) => string) =>
  (role: string): string =>
    secret(`role ${role}`);

/** A host whose services share one PostgreSQL, each under its own role in its own database, hearing each other on the postgres log. */
export function hostOf({ process, env, clock, postgres, secret, level = "warn" }: HostOptions): Host {
  const password = rolePassword(secret);
  const address = (database: string, role: string): string =>
    `postgres://${role}:${encodeURIComponent(password(role))}@${postgres.host}:${postgres.port}/${database}`;
  const log = logger(process, level);
  return {
    process,
    env,
    clock,
    random: systemRandom,
    network: realNetwork,
    tails: new Tails((source) => {
      const owner = ownerOf(source);
      return new PostgresLog(source, address(databaseOf(owner), readerOf(owner)), log);
    }, log),
    logger: (name) => logger(name, level),
    databaseUrl: (service) => address(databaseOf(service), databaseOf(service)),
    internalKey: (service) => secret(`internal ${service}`),
  };
}
