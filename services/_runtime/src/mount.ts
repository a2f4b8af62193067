import type { FastifyInstance } from "fastify";
import { type ActingFrame, act, type Positions } from "./act.ts";
import type { Acting } from "./acting.ts";
import type { Caller } from "./caller.ts";
import type { Client } from "./client.ts";
import type { Reads, Ref, Refs } from "./decision.ts";
import { type Cause, Reading, readAll, refsOf } from "./decisions.ts";
import { effectAsJob } from "./effects.ts";
import type { Opening } from "./fast-route.ts";
import { Hearing } from "./hearing.ts";
import type { Host } from "./host.ts";
import { face } from "./http/app.ts";
import { JobRunner, type Runnable } from "./jobs/job-runner.ts";
import { type Claimed, JobTable } from "./jobs/job-table.ts";
import { forgetOldAnswers } from "./kept-answers.ts";
import { Notifier } from "./log/notifier.ts";
import type { Logger } from "./logs.ts";
import { Moves } from "./moves.ts";
import { outsideOf } from "./outside.ts";
import { quietOf } from "./quiet.ts";
import type { QuietReport } from "./quiet-report.ts";
import { Checkpoints, type HeldRow } from "./reactions/checkpoints.ts";
import { HeldAlarm } from "./reactions/held-alarm.ts";
import type { Documents } from "./read-models/documents.ts";
import type { ReadModel } from "./read-models/read-model.ts";
import { runCommand } from "./run-command.ts";
import type { Service } from "./service.ts";
import { openPool } from "./store/pool.ts";
import { Streams } from "./store/streams.ts";
import { Writer } from "./store/writer.ts";
import { Turns } from "./turns.ts";

const AN_HOUR_MS = 3_600_000;
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
  const { clock, random, tails } = host;
  const own = service.logs[0] ?? service.name;
  const url = host.databaseUrl(service.name);
  const pool = openPool(url, { max: 6, log: logger });
  const locks = openPool(url, { max: 4, log: logger });
  const folds = openPool(url, { max: 4, log: logger, settings: "-c synchronous_commit=off" });
  const stopping = new AbortController();

  const use = outsideOf({ service, host, logger, pool, locks, replacements, stopping: stopping.signal });

  const writers = new Map<string, Writer>();
  for (const log of service.logs) {
    await tails.start(log);
    // A notification need not be durable: it would cost a flush for every append, and a lost one is made good by a poll.
    const notifier = new Notifier(folds, log, logger);
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

  const checkpoints = new Checkpoints(pool);
  const streams = new Streams(pool, own);
  const heads = (): Promise<readonly number[]> => tails.get(own).look();
  const moves = new Moves();
  const hearing = new Hearing({
    ...{ service, tails, pool, folds, moves },
    running: ({ facts, documents, progress, moved }) => ({
      sources: { streams, facts, documents, progress, heads },
      ...{ writerOf, own, checkpoints, clock, random, logger, moved },
    }),
  });
  const { sources } = hearing;
  const frame: ActingFrame = { sources, writerOf, own, clock, random, turns: new Turns() };
  const documentsOf = (model: string): Documents<unknown> => hearing.documents(model);

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

  await hearing.start(effectsFromZero);
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
  const quiet = (): Promise<QuietReport> =>
    quietOf({
      ...{ service: service.name, process: host.process, logs: service.logs, clock, tails, hearing, runner },
      underWay: () => [
        ...(requests > 0 ? ["requests are under way"] : []),
        ...(background.size > 0 ? ["background work is under way"] : []),
        ...([...writers.values()].every(({ idle }) => idle) ? [] : ["appends are under way"]),
      ],
    });
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
    shows: (positions) => hearing.shows(positions),
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
  const hourly = setInterval(() => void forgetOldAnswers(pool, logger), AN_HOUR_MS).unref();

  return {
    name: service.name,
    app,
    documents: <T>(of: ReadModel<T>) => documentsOf(of.name) as Documents<T>,
    acting: actingFor,
    moved: (milliseconds) => moves.within(milliseconds),
    held: () => checkpoints.held(null, null, 1000),
    heldDocuments: () => hearing.heldDocuments(),
    releaseDocument: (readModel, id) => hearing.releaseDocument(readModel, id),
    quiet,
    async stop() {
      const closing = setInterval(() => app.server.closeIdleConnections(), CLOSES_IDLE_MS);
      await app.close().finally(() => clearInterval(closing));
      for (const last of lasts) await last();
      await Promise.all(background);
      stopping.abort();
      alarm.stop();
      clearInterval(hourly);
      await runner.stop();
      await hearing.stop();
      await Promise.all([pool.end(), locks.end(), folds.end()]);
      moves.tell();
    },
  };
}
