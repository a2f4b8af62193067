import { databaseOf } from "@tributary/runtime/store/migrate";
import pg from "pg";
import { type Verdict, verify } from "../src/verify/verify.ts";

/** A row of an event, as the test picks it. */
export interface Picked {
  readonly stream: string;
  readonly partition: number;
  readonly sequence: number;
}

/** The row's name in a verdict. */
export const rowOf = (log: string, { partition, sequence }: Picked): string =>
  `${log}.events (${partition}, ${sequence})`;

const at = (url: string, database: string): string =>
  Object.assign(new URL(url), { pathname: `/${database}` }).href;

/** Runs one act on a connection of its own. */
export async function connected<T>(
  url: string,
  database: string,
  act: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString: at(url, database) });
  await client.connect();
  try {
    return await act(client);
  } finally {
    await client.end();
  }
}

let copies = 0;

/** What `verify` says of a copy in which one service's database was damaged, and what the damage says it damaged. */
export async function damaged<T>(
  url: string,
  service: string,
  damage: (client: pg.Client) => Promise<T>,
): Promise<{ of: T; verdicts: Verdict[] }> {
  const original = databaseOf(service);
  const copy = `${original}_copy_${++copies}`;
  await connected(url, "postgres", (client) => client.query(`create database ${copy} template ${original}`));
  try {
    const of = await connected(url, copy, damage);
    const addressOf = (database: string): string => at(url, database === original ? copy : database);
    return { of, verdicts: await verify({ addressOf, seed: copies }) };
  } finally {
    await connected(url, "postgres", (client) => client.query(`drop database ${copy}`));
  }
}

/** What `verify` says of the databases as they are. */
export const undamaged = (url: string, seed: number): Promise<Verdict[]> =>
  verify({ addressOf: (database) => at(url, database), seed });

/** The one row that the query finds; the story must hold one. */
export async function one<R extends pg.QueryResultRow>(
  client: pg.Client,
  text: string,
  values: readonly unknown[] = [],
): Promise<R> {
  const { rows } = await client.query<R>(text, [...values]);
  if (rows.length !== 1) throw new Error(`${rows.length} rows instead of one: ${text}`);
  return rows[0]!;
}
