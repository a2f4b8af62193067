import { randomUUID } from "node:crypto";
import pg from "pg";
import { inject, onTestFinished } from "vitest";
import { databaseOf, type Migrated, migrate, readerOf } from "../src/store/migrate.ts";

const PASSWORD = "test";

/** A migrated database of one service, made for one test. */
export interface Database {
  /** Under the service's own role. */
  readonly url: string;
  /** Under the role that may only read its events. */
  readonly readerUrl: string;
  /** Asks as a superuser, who sees and may do everything. */
  readonly sql: <R = Record<string, unknown>>(text: string, values?: readonly unknown[]) => Promise<R[]>;
}

/** Makes the database of a service, which nobody else uses; its connections end with the test. */
export async function databaseFor(service: Migrated): Promise<Database> {
  const adminUrl = inject("postgresUrl");
  const name = `${service.name}_${randomUUID().slice(0, 8)}`;
  await migrate(adminUrl, { ...service, name }, () => PASSWORD);
  const address = (role?: string): string => {
    const url = new URL(adminUrl);
    url.pathname = `/${databaseOf(name)}`;
    if (role) {
      url.username = role;
      url.password = PASSWORD;
    }
    return url.href;
  };
  const pool = new pg.Pool({ connectionString: address(), max: 2 });
  onTestFinished(() => pool.end());
  return {
    url: address(databaseOf(name)),
    readerUrl: address(readerOf(name)),
    sql: async <R>(text: string, values: readonly unknown[] = []) =>
      (await pool.query(text, [...values])).rows as R[],
  };
}
