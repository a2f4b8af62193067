import { randomUUID } from "node:crypto";
import type { NewEvent } from "@tributary/contracts/event";
import pg from "pg";
import { inject, onTestFinished } from "vitest";
import type { Caller } from "../caller.ts";
import { canonical } from "../canonical.ts";
import type { Client } from "../client.ts";
import { anyhow } from "../decision.ts";
import type { Host } from "../host.ts";
import { INTERNAL_TOKEN_HEADER, signCaller } from "../http/internal-token.ts";
import { PostgresLog } from "../log/postgres-log.ts";
import { Tails } from "../log/tails.ts";
import { logger } from "../logs.ts";
import { type Mounted, mount } from "../mount.ts";
import { SetClock } from "../ports/clock.ts";
import type { Network } from "../ports/network.ts";
import { systemRandom } from "../ports/random.ts";
import type { HeldRow } from "../reactions/checkpoints.ts";
import type { Documents } from "../read-models/documents.ts";
import type { ReadModel } from "../read-models/read-model.ts";
import type { Service } from "../service.ts";
import { databaseOf, migrate, readerOf } from "../store/migrate.ts";
import { MemoryLog } from "./memory-log.ts";

const PASSWORD = "harness";
const KEY = "harness-key";
const QUIET_WITHIN_MS = 20_000;

/** What a test starts from. */
export interface Given {
  readonly now?: string;
  readonly env?: Record<string, string>;
  readonly clients?: readonly (readonly [Client<never>, unknown])[];
  readonly network?: Network;
}

/** An answer as a browser would see it. */
export interface Got {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a test asserts on whatever shape it expects
  readonly body: any;
  readonly headers: Record<string, string | string[] | number | undefined>;
}

type Ask = (url: string, body?: unknown, headers?: Record<string, string>) => Promise<Got>;

/** Asks as somebody. */
export interface Asker {
  readonly get: (url: string, headers?: Record<string, string>) => Promise<Got>;
  readonly post: Ask;
  readonly put: Ask;
  readonly patch: Ask;
  readonly delete: Ask;
}

const nobody: Caller = {
  uid: "",
  email: null,
  user_id: null,
  user_type: null,
  role: "user",
  brand_id: null,
  creator_id: null,
  approved: false,
};

/** Callers by their part in the story; ids are taken as they are. */
export const as = {
  nobody: null as Caller | null,
  signedIn: (uid: string, email: string | null = null): Caller => ({ ...nobody, uid, email }),
  brand: (brand_id: string, more: Partial<Caller> = {}): Caller => ({
    ...nobody,
    uid: `uid-${brand_id}`,
    user_id: `user-${brand_id}`,
    user_type: "brand",
    brand_id,
    ...more,
  }),
  creator: (creator_id: string, more: Partial<Caller> = {}): Caller => ({
    ...nobody,
    uid: `uid-${creator_id}`,
    user_id: `user-${creator_id}`,
    user_type: "creator",
    creator_id,
    approved: true,
    ...more,
  }),
  admin: (user_id = "admin"): Caller => ({ ...nobody, uid: `uid-${user_id}`, user_id, role: "admin" }),
};

/** An own event as recorded. */
export interface Shown {
  readonly type: string;
  readonly stream: string;
  readonly version: number;
  readonly data: Record<string, unknown>;
}

/** A service as a test holds it: given past events, asked or told something, showing its events, answers and documents. */
export interface App {
  readonly clock: SetClock;
  readonly mounted: Mounted;
  /** Its database, under the service's own role. */
  readonly databaseUrl: string;
  happened(
    ref: { readonly kind: "stream"; readonly id: string; readonly of: object },
    ...events: NewEvent[]
  ): Promise<void>;
  hear(stream: string, ...events: NewEvent[]): Promise<void>;
  as(caller: Caller | null): Asker;
  settled(): Promise<void>;
  events(log?: string): Promise<Shown[]>;
  documents<T>(of: ReadModel<T>): Documents<T>;
  held(): Promise<HeldRow[]>;
  /** Mounts the service once more, every reaction and effect under a new name and from zero; nobody outside can be reached. */
  heardTwiceFromZero(): Promise<{ events: number; calls: number; held: HeldRow[] }>;
}

const databases = new Map<string, Promise<string>>();

async function databaseFor(service: Service): Promise<string> {
  const adminUrl = inject("postgresUrl");
  const name = `${service.name}_${randomUUID().slice(0, 8)}`;
  await migrate(adminUrl, { name, logs: service.logs, tables: service.tables }, () => PASSWORD);
  return name;
}

/** Everything a test left behind is taken away, so that the next one starts from nothing. */
async function emptied(name: string, service: Service): Promise<void> {
  const client = new pg.Client({ connectionString: urlOf(inject("postgresUrl"), databaseOf(name)) });
  await client.connect();
  try {
    const { rows } = await client.query(
      "select format('%I.%I', schemaname, tablename) as name, schemaname from pg_tables where schemaname = any($1)",
      [["runtime", "documents", "private", ...service.logs]],
    );
    const drops = rows
      .filter(({ schemaname }) => schemaname === "documents")
      .map(({ name }) => `drop table ${name}`);
    const truncated = rows.filter(({ schemaname }) => schemaname !== "documents").map(({ name }) => name);
    await client.query([...drops, `truncate ${truncated.join(", ")}`].join("; "));
  } finally {
    await client.end();
  }
}

function urlOf(adminUrl: string, database: string, role?: string): string {
  const url = new URL(adminUrl);
  url.pathname = `/${database}`;
  if (role) {
    url.username = role;
    url.password = PASSWORD;
  }
  return url.href;
}

/** Starts a service on a PostgreSQL database of its own; other services' logs are what the test lets it hear. Stopped with the test. */
export async function given(
  service: Service,
  { now = "2026-01-05T18:00:00Z", env = {}, clients = [], network }: Given = {},
): Promise<App> {
  const fresh = !databases.has(service.name);
  if (fresh) databases.set(service.name, databaseFor(service));
  const database = await databases.get(service.name)!;
  if (!fresh) await emptied(database, service);
  const adminUrl = inject("postgresUrl");
  const log = logger(service.name, process.env.LOG_LEVEL ?? "silent");
  const clock = new SetClock(now);
  const foreign = new Map<string, MemoryLog>();
  const foreignLog = (source: string): MemoryLog => {
    const known = foreign.get(source) ?? new MemoryLog(source);
    foreign.set(source, known);
    return known;
  };
  const host = (calls: { made: number }): Host => ({
    process: "test",
    env,
    clock,
    random: systemRandom,
    network: async (url, init) => {
      calls.made++;
      if (!network) throw new Error(`this test reaches nobody outside, and ${url} was called`);
      return network(url, init);
    },
    tails: new Tails(
      (source) =>
        (service.logs as readonly string[]).includes(source)
          ? new PostgresLog(source, urlOf(adminUrl, databaseOf(database), readerOf(database)), log)
          : foreignLog(source),
      log,
    ),
    logger: () => log,
    databaseUrl: () => urlOf(adminUrl, databaseOf(database), databaseOf(database)),
    internalKey: () => KEY,
  });
  const first = host({ made: 0 });
  const mounted = await mount(service, first, { clients });
  onTestFinished(async () => {
    await mounted.stop();
    await first.tails.close();
  });
  const positions = new Map<string, string>();

  const settledOf = async (one: Mounted): Promise<void> => {
    const until = performance.now() + QUIET_WITHIN_MS;
    let before: string | null = null;
    for (;;) {
      const report = await one.quiet();
      const said = report.quiet ? canonical(report) : null;
      // One report looks here and there one after the other; two that say the same prove that nothing moved in between.
      if (said !== null && said === before) return;
      before = said;
      if (said === null && performance.now() > until)
        throw new Error(`not quiet: ${report.waiting.join("; ")}`);
      if (said === null) await one.moved(20);
    }
  };
  const events = async (name: string = service.logs[0] ?? service.name): Promise<Shown[]> => {
    const all = await first.tails.get(name).log.read(new Array<number>(16).fill(0), 100_000);
    return all
      .filter(({ meta }) => meta.actor !== "given")
      .sort((a, b) =>
        a.time === b.time
          ? a.stream === b.stream
            ? a.version - b.version
            : a.stream < b.stream
              ? -1
              : 1
          : a.time < b.time
            ? -1
            : 1,
      )
      .map(({ type, stream, version, data }) => ({
        type,
        stream,
        version,
        data: data as Record<string, unknown>,
      }));
  };

  return {
    clock,
    mounted,
    databaseUrl: first.databaseUrl(service.name),
    async happened(ref, ...past) {
      await mounted.acting("given").act({}, () => [anyhow(ref as never, ...(past as never[]))]);
    },
    async hear(stream, ...past) {
      const byOwner = new Map<string, NewEvent[]>();
      for (const event of past) byOwner.set(event.owner, [...(byOwner.get(event.owner) ?? []), event]);
      for (const [owner, told] of byOwner) foreignLog(owner).record(stream, told, clock.now(), randomUUID);
    },
    as(caller) {
      const ask = async (
        method: string,
        url: string,
        body?: unknown,
        headers: Record<string, string> = {},
      ): Promise<Got> => {
        const after = [...positions.values()].join(";");
        const answer = await mounted.app.inject({
          method: method as "GET",
          url,
          headers: {
            [INTERNAL_TOKEN_HEADER]: signCaller(KEY, service.name, caller),
            ...(after ? { "x-after": after } : {}),
            ...(body === undefined || typeof body === "string" || Buffer.isBuffer(body)
              ? {}
              : { "content-type": "application/json" }),
            ...headers,
          },
          ...(body === undefined ? {} : { payload: body as string }),
        });
        const position = answer.headers["x-position"];
        if (typeof position === "string") positions.set(position, position);
        const isJson = String(answer.headers["content-type"] ?? "").includes("json");
        return {
          status: answer.statusCode,
          body: isJson && answer.body ? JSON.parse(answer.body) : answer.body || null,
          headers: answer.headers,
        };
      };
      return {
        get: (url, headers) => ask("GET", url, undefined, headers),
        post: (url, body, headers) => ask("POST", url, body, headers),
        put: (url, body, headers) => ask("PUT", url, body, headers),
        patch: (url, body, headers) => ask("PATCH", url, body, headers),
        delete: (url, body, headers) => ask("DELETE", url, body, headers),
      };
    },
    settled: () => settledOf(mounted),
    events,
    documents: (of) => mounted.documents(of),
    held: () => mounted.held(),
    async heardTwiceFromZero() {
      await settledOf(mounted);
      const before = (await events()).length;
      const again = { ...service, jobs: [], readModels: service.readModels };
      const renamed: Service = {
        ...again,
        reactions: service.reactions.map((one) => ({ ...one, name: `${one.name}-again` })),
        effects: service.effects.map((one) => ({ ...one, name: `${one.name}-again` })),
      };
      const calls = { made: 0 };
      const second = host(calls);
      const twin = await mount(renamed, second, { clients, effectsFromZero: true });
      try {
        await settledOf(twin);
        return {
          events: (await events()).length - before,
          calls: calls.made,
          held: (await twin.held()).filter(({ reader }) => reader.endsWith("-again")),
        };
      } finally {
        await twin.stop();
        await second.tails.close();
      }
    },
  };
}
