import type { EventType, Owner } from "@tributary/contracts/event";
import type { FastifyInstance } from "fastify";
import type pg from "pg";
import { type ActingFrame, act, type Positions } from "./act.ts";
import type { Acting } from "./acting.ts";
import type { Caller } from "./caller.ts";
import type { Client, Settings, Sql, Use } from "./client.ts";
import { readSettings } from "./config.ts";
import type { Reads, Ref, Refs } from "./decision.ts";
import { type Cause, Reading, readAll, refsOf, type Sources } from "./decisions.ts";
import { effectAsJob, effectAsReaction } from "./effects.ts";
import { FactsTable } from "./facts-table.ts";
import type { Opening } from "./fast-route.ts";
import type { Host } from "./host.ts";
import { face } from "./http/app.ts";
import { JobRunner, type Runnable } from "./jobs/job-runner.ts";
import { type Claimed, JobTable } from "./jobs/job-table.ts";
import { Notifier } from "./log/notifier.ts";
import type { Logger } from "./logs.ts";
import type { Progress } from "./progress.ts";
import type { QuietReport } from "./quiet-report.ts";
import { Checkpoints, type HeldRow } from "./reactions/checkpoints.ts";
import { FactsRunner } from "./reactions/facts-runner.ts";
import { HeldAlarm } from "./reactions/held-alarm.ts";
import { ReactionRunner, type Running } from "./reactions/reaction-runner.ts";
import type { Documents } from "./read-models/documents.ts";
import { Folding } from "./read-models/fold.ts";
import { PostgresDocumentStore } from "./read-models/postgres-store.ts";
import type { ReadModel } from "./read-models/read-model.ts";
import { ReadModelWorker } from "./read-models/worker.ts";
import { runCommand } from "./run-command.ts";
import type { Service } from "./service.ts";
import { reached, zero } from "./store/partition.ts";
import { openPool } from "./store/pool.ts";
import { Streams } from "./store/streams.ts";
import { Writer } from "./store/writer.ts";
import { Turns } from "./turns.ts";

const SHOWS_WITHIN_MS = 2000;
/** A connection whose last answer went out while the service was stopping would otherwise be kept alive for a minute. */
const CLOSES_IDLE_MS = 50;

/** A service at work in this process. */
export interface Mounted {
  readonly name: string;
  readonly app: FastifyInstance;
  /** What it says when asked whether it is quiet; `process` and `clock` are the host's. */
  quiet(): Promise<QuietReport>;
  /** Resolves when something here has moved, or after so many milliseconds; for whoever waits for quiet. */
  moved(milliseconds: number): Promise<void>;
  documents<T>(of: ReadModel<T>): Documents<T>;
  /** Acts on behalf of the system, as a job would. */
  acting(actor: string): Acting;
  held(): Promise<HeldRow[]>;
  heldDocuments(): Promise<{ readModel: string; id: string; cause: string }[]>;
  releaseDocument(readModel: string, id: string): Promise<void>;
  stop(): Promise<void>;
}

/** What may differ from the ordinary way of mounting. */
export interface Mounting {
  /** Clients of the outside world to use in place of the declared ones. */
  readonly clients?: readonly (readonly [Client<never>, unknown])[];
  /** Lets effects hear the past; only ever to show that hearing twice changes nothing. */
  readonly effectsFromZero?: boolean;
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

/**
 * Mounts a service: opens its pools, builds its read models, begins its readers and jobs, and answers its app when it is ready to
 * serve. Its database must have been migrated. Throws BadConfig when settings are missing.
 */
export async function mount(
  service: Service,
  host: Host,
  { clients: replacements = [], effectsFromZero = false }: Mounting = {},
): Promise<Mounted> {
  const logger = host.logger(service.name);
  const { clock, random, network, tails } = host;
  const own = service.logs[0] ?? service.name;
  const settings = readSettings(
    service.settings.map(({ schema }) => schema),
    host.env,
  );
  const url = host.databaseUrl(service.name);
  const pool = openPool(url, { max: 6, log: logger });
  const locks = openPool(url, { max: 4, log: logger });
  const folds = openPool(url, { max: 4, log: logger, settings: "-c synchronous_commit=off" });
  const stopping = new AbortController();

  const instances = new Map<Client<unknown>, unknown>(
    replacements.map(([token, instance]) => [token as Client<unknown>, instance]),
  );
  const sql = privateTables(pool, locks);
  const use: Use = <T>(token: Client<T> | Settings<T>): T => {
    if (token.kind === "settings") {
      if (!settings.has(token.schema)) throw new Error(`${service.name} uses settings it doesn't declare`);
      return settings.get(token.schema) as T;
    }
    if (!instances.has(token)) {
      const pause = (milliseconds: number): Promise<void> =>
        new Promise((resolve, reject) => {
          const stop = (): void => {
            clearTimeout(timer);
            reject(new Error("the service stops"));
          };
          const timer = setTimeout(() => {
            stopping.signal.removeEventListener("abort", stop);
            resolve();
          }, milliseconds);
          stopping.signal.addEventListener("abort", stop, { once: true });
        });
      instances.set(
        token,
        token.make({ use, network, clock, random, sql, log: logger.child({ client: token.name }), pause }),
      );
    }
    return instances.get(token) as T;
  };

  const writers = new Map<string, Writer>();
  for (const log of service.logs) {
    await tails.start(log);
    const notifier = new Notifier(pool, log, logger);
    writers.set(
      log,
      new Writer(pool, log, clock, (heads) => {
        tails.told(log, heads);
        notifier.tell(heads);
        runner?.wake();
      }),
    );
  }
  const writerOf = (owner: string): Writer => {
    const writer = writers.get(owner);
    if (!writer) throw new Error(`${service.name} can't speak in the log of ${owner}`);
    return writer;
  };

  const stores = new Map(
    service.readModels.map((model) => [model.name, new PostgresDocumentStore(folds, model)]),
  );
  const documentsOf = (model: string): Documents<unknown> => {
    const store = stores.get(model);
    if (!store) throw new Error(`${service.name} has no read model ${model}`);
    return store.documents();
  };
  const facts = new Map(service.facts.map((table) => [table.name, new FactsTable(pool, table)]));
  const checkpoints = new Checkpoints(pool);
  const heads = (): Promise<readonly number[]> => tails.get(own).look();
  const progress = async (reader: string, source: string): Promise<Progress> => {
    const here = readersNamed(reader).find((one) => one.source === source)?.position;
    const local = here ? [...here] : null;
    const stored = await checkpoints.position(reader, source);
    const position = stored.map((sequence, partition) => Math.max(sequence, local?.[partition] ?? 0));
    return { position, held: await checkpoints.heldTenants(reader, source) };
  };
  const streams = new Streams(pool, own);
  const sources: Sources = { streams, facts, documents: documentsOf, progress, heads };
  const frame: ActingFrame = { sources, writerOf, own, clock, random, turns: new Turns() };

  const watchers = new Set<() => void>();
  const wakeWatchers = (): void => {
    const waiting = [...watchers];
    watchers.clear();
    for (const go of waiting) go();
  };
  const running: Running = {
    sources,
    writerOf,
    own,
    checkpoints,
    clock,
    random,
    logger,
    moved: (reader) => {
      const isFacts = facts.has(reader);
      for (const one of reactions) if (isFacts || one.watches(reader)) one.ask();
      wakeWatchers();
    },
  };
  const hears = new Set<string>([
    ...service.readModels.flatMap((model) => new Folding(model).sources),
    ...[...facts.values()].flatMap((table) => table.sources),
    ...[...service.reactions, ...service.effects].flatMap(({ on }) =>
      (Array.isArray(on) ? (on as EventType[]) : [on as EventType]).map(({ owner }) => owner),
    ),
  ]);
  for (const source of hears) await tails.start(source);
  const tailOf = (source: string) => tails.get(source);
  const factsRunners = [...facts.values()].map((table) => new FactsRunner(table, running, tailOf));
  const reactions = [...service.reactions, ...service.effects.map(effectAsReaction)].map(
    (reaction) => new ReactionRunner(reaction, running, tailOf),
  );
  const workers = service.readModels.map(
    (model) => new ReadModelWorker(new Folding(model), stores.get(model.name)!, tailOf, logger),
  );
  const readersNamed = (name: string) =>
    [
      ...factsRunners.map((one) => ({ name: one.table.facts.name, readers: one.readers })),
      ...reactions.map((one) => ({ name: one.reaction.name, readers: one.readers })),
    ].find((one) => one.name === name)?.readers ?? [];

  const acting = (
    cause: Cause,
    caller: Caller | null,
    positions: Positions,
    log: Logger,
    run?: Claimed,
  ): Acting => ({
    get now() {
      return clock.now();
    },
    caller,
    log,
    use,
    id: () => random.id(),
    code: (length) => random.code(length),
    documents: <T>(of: ReadModel<T>) => documentsOf(of.name) as Documents<T>,
    heads,
    act: (refs, decide) => act(frame, refs, decide, { cause, caller, run, positions }),
    read: async <const F extends Refs>(refs: F) =>
      (await readAll(sources, refsOf(refs) as Ref[], new Reading())).values(refs) as Reads<F>,
  });
  const actingFor = (actor: string, claimed?: Claimed): Acting =>
    acting(
      { actor, correlationid: random.id(), causationid: null },
      null,
      new Map(),
      logger.child({ actor }),
      claimed,
    );

  const table = new JobTable(pool);
  const runnables: Runnable[] = [
    ...service.jobs.map(
      (job): Runnable => ({
        name: job.name,
        cron: job.cron,
        run: async (claimed) =>
          job.run({
            ...actingFor(`${own}.${job.name}`, claimed),
            key: claimed.key,
            payload: claimed.payload,
            run: claimed.run,
            alive: async () => {
              if (!(await table.keep(claimed)))
                throw new Error(`run ${claimed.run} of ${job.name} has lost its lease`);
            },
          }),
      }),
    ),
    ...service.effects.map((effect) =>
      effectAsJob(effect, own, frame, (claimed) => actingFor(`${own}.${effect.name}`, claimed)),
    ),
  ];
  const runner: JobRunner = new JobRunner(runnables, table, clock, logger);

  const shows = async (positions: Positions): Promise<boolean> => {
    const behind = (): boolean =>
      [...positions].some(([log, places]) =>
        [...places].some(
          ([partition, sequence]) =>
            workers.some(
              (worker) => (worker.position(log)?.[partition] ?? Number.POSITIVE_INFINITY) < sequence,
            ) ||
            factsRunners.some(({ readers }) =>
              readers.some((reader) => reader.source === log && reader.position[partition]! < sequence),
            ),
        ),
      );
    const until = performance.now() + SHOWS_WITHIN_MS;
    while (behind()) {
      const left = until - performance.now();
      if (left <= 0) return false;
      await movedWithin(left);
    }
    return true;
  };
  const movedWithin = (milliseconds: number): Promise<void> =>
    new Promise((resolve) => {
      const go = (): void => {
        clearTimeout(timer);
        watchers.delete(go);
        resolve();
      };
      const timer = setTimeout(go, milliseconds);
      watchers.add(go);
    });

  for (const worker of workers) {
    await worker.start();
    worker.onMove(wakeWatchers);
  }
  for (const one of factsRunners) await one.start();
  for (const effect of service.effects) {
    const heads = await tails.get(effect.on.owner).look();
    await checkpoints.begin(effect.name, effect.on.owner, effectsFromZero ? zero() : heads);
  }
  for (const one of reactions) await one.start();
  for (const first of service.beforeServing) await first(actingFor(own));

  const background = new Set<Promise<unknown>>();
  const lasts: (() => Promise<void>)[] = [];
  const opening = (name: string): Opening => ({
    ...actingFor(`${own} ${name}`),
    clock,
    background(work) {
      const watched = work
        .catch((error: Error) =>
          logger.error({ route: name, error: error.message }, "background work failed"),
        )
        .finally(() => background.delete(watched));
      background.add(watched);
    },
    onStop: (last) => void lasts.push(last),
  });
  let requests = 0;
  const behind = (reader: { source: string; position: readonly number[] }): boolean =>
    !reached(reader.position, tails.get(reader.source).heads);
  /** What is known to be under way without asking anybody. */
  const busy = (): string[] =>
    [
      ...workers
        .filter((worker) => !worker.standsAt(new Map([...hears].map((log) => [log, tails.get(log).heads]))))
        .map((worker) => `${worker.folding.model.name} is behind`),
      ...factsRunners
        .filter((one) => one.readers.some(behind))
        .map((one) => `${one.table.facts.name} is behind`),
      ...reactions.filter((one) => one.readers.some(behind)).map((one) => `${one.reaction.name} is behind`),
      ...(runner.running > 0 ? [`${runner.running} jobs are running`] : []),
      ...(requests > 0 ? ["requests are under way"] : []),
      ...(background.size > 0 ? ["background work is under way"] : []),
      ...([...writers.values()].every(({ idle }) => idle) ? [] : ["appends are under way"]),
    ].map((cause) => `${service.name}: ${cause}`);
  const quiet = async (): Promise<QuietReport> => {
    const clockSeen = clock.revision;
    const doing = busy();
    if (doing.length > 0) {
      const heads = Object.fromEntries(service.logs.map((log) => [log, [...tails.get(log).heads]]));
      const report = { process: host.process, clock: clockSeen, quiet: false, next_due: null };
      return { ...report, waiting: doing, heads, positions: {} };
    }
    const logs = [...new Set([...hears, ...service.logs])];
    const asked = new Map<string, readonly number[]>(
      await Promise.all(logs.map(async (log) => [log, await tails.get(log).look()] as const)),
    );
    const outlook = await runner.outlook();
    const waiting = [
      ...workers
        .filter((worker) => !worker.standsAt(asked))
        .map((worker) => `${worker.folding.model.name} is behind`),
      ...factsRunners.flatMap((one) => one.waiting(asked)),
      ...(await Promise.all(reactions.map((one) => one.waiting(asked)))).flat(),
      ...outlook.waiting,
    ].map((cause) => `${service.name}: ${cause}`);
    waiting.push(...busy());
    const positions: Record<string, number[]> = {};
    for (const source of hears) positions[source] = [...asked.get(source)!];
    return {
      process: host.process,
      clock: clockSeen,
      quiet: waiting.length === 0 && clock.revision === clockSeen,
      next_due: outlook.next,
      waiting,
      heads: Object.fromEntries(service.logs.map((log: Owner) => [log, [...asked.get(log)!]])),
      positions,
    };
  };
  const app = await face({
    name: service.name,
    internalKey: host.internalKey(service.name),
    logger,
    commands: service.commands,
    readModels: service.readModels,
    routes: service.routes,
    now: () => clock.now(),
    quiet,
    documents: documentsOf,
    shows,
    opening,
    acting: (caller, requestId, positions) =>
      acting(
        { actor: caller?.user_id ?? caller?.uid ?? own, correlationid: requestId, causationid: null },
        caller,
        positions,
        logger,
      ),
    command: async (command, asked) => {
      requests++;
      try {
        return await runCommand(frame, pool, command, asked);
      } finally {
        requests--;
      }
    },
  });
  await runner.start();
  const alarm = new HeldAlarm(checkpoints, logger);

  return {
    name: service.name,
    app,
    documents: <T>(of: ReadModel<T>) => documentsOf(of.name) as Documents<T>,
    acting: actingFor,
    moved: movedWithin,
    held: () => checkpoints.held(null, null, 1000),
    heldDocuments: async () =>
      (
        await Promise.all(
          [...stores].map(async ([readModel, store]) =>
            (await store.heldDocuments()).map(({ id, held }) => ({ readModel, id, cause: held!.cause })),
          ),
        )
      ).flat(),
    releaseDocument: async (readModel, id) => {
      const worker = workers.find(({ folding }) => folding.model.name === readModel);
      if (!worker) throw new Error(`${service.name} has no read model ${readModel}`);
      await worker.release(id);
    },
    quiet,
    async stop() {
      const closing = setInterval(() => app.server.closeIdleConnections(), CLOSES_IDLE_MS);
      await app.close().finally(() => clearInterval(closing));
      for (const last of lasts) await last();
      await Promise.all(background);
      stopping.abort();
      alarm.stop();
      await runner.stop();
      await Promise.all(reactions.map((one) => one.stop()));
      await Promise.all(factsRunners.map((one) => one.stop()));
      await Promise.all(workers.map((worker) => worker.stop()));
      await Promise.all([pool.end(), locks.end(), folds.end()]);
      wakeWatchers();
    },
  };
}
