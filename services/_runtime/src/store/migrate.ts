import { createHash } from "node:crypto";
import pg from "pg";
import { partitionOf } from "./partition.ts";
import { grants, logSchema, SERVICE_TABLES } from "./schema.ts";

/** The database of a service, and the roles that may come in. Roles and databases share their name. */
export const databaseOf = (service: string): string => `tributary_${service}`;
/** The role that may only read a service's events: how another service hears it on one machine. */
export const readerOf = (service: string): string => `tributary_${service}_reader`;

/** The advisory-lock class of a log inside its database. */
export const lockClassOf = (log: string): number => 1_001_000 + partitionOf(log) * 1000 + log.length;

/** What is migrated: a service as its table of contents names it. */
export interface Migrated {
  readonly name: string;
  readonly logs: readonly string[];
  readonly tables: readonly string[];
}

async function roleWith(admin: pg.Client, role: string, password: string): Promise<void> {
  const { rows } = await admin.query("select from pg_roles where rolname = $1", [role]);
  const act = rows.length === 0 ? "create" : "alter";
  await admin.query(`${act} role ${role} login password ${pg.escapeLiteral(password)}`);
}

/**
 * Creates or completes the database of a service: roles, runtime tables, its logs, its private tables. May be run again at any
 * time, and does nothing when nothing has changed; needs a superuser's address, which the service itself never gets. `password`
 * gives each role its own.
 */
export async function migrate(
  adminUrl: string,
  service: Migrated,
  password: (role: string) => string,
): Promise<void> {
  const role = databaseOf(service.name);
  const reader = readerOf(service.name);
  const statements = [
    SERVICE_TABLES,
    ...service.logs.map((log) => logSchema(log, lockClassOf(log))),
    grants(service.logs, role, reader),
    ...service.tables,
  ].join("\n");
  const stamp = createHash("sha256")
    .update(statements)
    .update(password(role))
    .update(password(reader))
    .digest("hex");
  const cluster = new pg.Client({ connectionString: adminUrl });
  await cluster.connect();
  try {
    const { rows } = await cluster.query(
      "select shobj_description(oid, 'pg_database') as stamp from pg_database where datname = $1",
      [role],
    );
    if (rows[0]?.stamp === stamp) return;
    await roleWith(cluster, role, password(role));
    await roleWith(cluster, reader, password(reader));
    if (rows.length === 0) {
      await cluster.query(`create database ${role} locale 'C' encoding 'UTF8' template template0`);
      await cluster.query(`revoke connect on database ${role} from public`);
    }
    await cluster.query(`grant connect on database ${role} to ${role}, ${reader}`);
    const url = new URL(adminUrl);
    url.pathname = `/${role}`;
    const own = new pg.Client({ connectionString: url.href });
    await own.connect();
    try {
      await own.query(`set client_min_messages = warning; ${statements}`);
    } finally {
      await own.end();
    }
    await cluster.query(`comment on database ${role} is '${stamp}'`);
  } finally {
    await cluster.end();
  }
}
