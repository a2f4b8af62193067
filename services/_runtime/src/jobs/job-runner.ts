import { Cron } from "croner";
import type { Logger } from "../logs.ts";
import type { Clock } from "../ports/clock.ts";
import type { Claimed, JobTable } from "./job-table.ts";

const AT_ONCE = 8;
const POLL_MS = 500;
/** After so many failures a job counts as parked: somebody has been told, and the clock need not wait for it. */
const PARKED_AFTER = 8;

/** A job as the runner knows it. */
export interface Runnable {
  readonly name: string;
  readonly cron: { readonly rule: string; readonly zone: string } | null;
  readonly run: (claimed: Claimed) => Promise<undefined | { readonly again: string }>;
}

/** The next moment a cron rule names after an instant, in its own zone. */
export const nextByRule = ({ rule, zone }: { rule: string; zone: string }, after: string): string => {
  const next = new Cron(rule, { timezone: zone, paused: true }).nextRun(new Date(after));
  if (!next) throw new Error(`the rule "${rule}" names no moment after ${after}`);
  return next.toISOString();
};

/** Claims and runs what is due, a few at a time; due by the runtime's clock, leased and retried in real time. */
export class JobRunner {
  readonly #jobs: ReadonlyMap<string, Runnable>;
  readonly #table: JobTable;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #running = new Set<Promise<void>>();
  #poll: NodeJS.Timeout | undefined;
  #offClock: (() => void) | undefined;
  #looking: Promise<void> | null = null;
  #lookAgain = false;
  #stopped = false;

  constructor(jobs: readonly Runnable[], table: JobTable, clock: Clock, logger: Logger) {
    this.#jobs = new Map(jobs.map((job) => [job.name, job]));
    this.#table = table;
    this.#clock = clock;
    this.#logger = logger;
  }

  async start(): Promise<void> {
    for (const { name, cron } of this.#jobs.values()) {
      if (cron) await this.#table.ensure(name, nextByRule(cron, this.#clock.now()));
    }
    if (this.#jobs.size === 0) return;
    this.#offClock = this.#clock.onMove(() => this.wake());
    const poll = (): void => {
      this.wake();
      this.#poll = setTimeout(poll, POLL_MS);
      this.#poll.unref();
    };
    poll();
  }

  /** Waits for what is running; what isn't finished is taken over by another process when its lease ends. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#poll);
    this.#offClock?.();
    await this.#looking;
    await Promise.all(this.#running);
  }

  /** How many run at this moment, here. */
  get running(): number {
    return this.#running.size;
  }

  /** Something may have come due. */
  wake(): void {
    if (this.#stopped || this.#jobs.size === 0) return;
    this.#lookAgain = true;
    this.#looking ??= this.#look().finally(() => {
      this.#looking = null;
    });
  }

  async #look(): Promise<void> {
    while (this.#lookAgain && !this.#stopped) {
      const room = AT_ONCE - this.#running.size;
      if (room <= 0) return;
      this.#lookAgain = false;
      try {
        const claimed = await this.#table.claim([...this.#jobs.keys()], this.#clock.now(), room);
        for (const one of claimed) {
          const running = this.#run(one).finally(() => {
            this.#running.delete(running);
            this.wake();
          });
          this.#running.add(running);
        }
      } catch (error) {
        this.#logger.warn({ error: (error as Error).message }, "jobs can't be claimed; trying again");
        return;
      }
    }
  }

  async #run(claimed: Claimed): Promise<void> {
    const job = this.#jobs.get(claimed.name)!;
    const keeping = setInterval(() => {
      this.#table
        .keep(claimed)
        .catch((error: Error) =>
          this.#logger.warn({ job: claimed.name, error: error.message }, "the lease could not be lengthened"),
        );
    }, 20_000);
    try {
      const result = await job.run(claimed);
      if (result) await this.#table.again(claimed, result.again);
      else if (job.cron) await this.#table.again(claimed, nextByRule(job.cron, this.#clock.now()));
      else await this.#table.finish(claimed);
    } catch (error) {
      const cause = error instanceof Error ? error.message : String(error);
      this.#logger.error(
        {
          job: claimed.name,
          key: claimed.key,
          run: claimed.run,
          error: cause,
          stack: (error as Error).stack,
        },
        "a job failed; it is tried again",
      );
      await this.#table
        .failed(claimed, cause)
        .catch((reason: Error) =>
          this.#logger.warn({ error: reason.message }, "the failure could not be noted; the lease runs out"),
        );
    } finally {
      clearInterval(keeping);
    }
  }

  /** What is due or running now, in words, and the next due moment. */
  async outlook(): Promise<{ waiting: string[]; next: string | null }> {
    if (this.#jobs.size === 0) return { waiting: [], next: null };
    const { due, next } = await this.#table.outlook([...this.#jobs.keys()], this.#clock.now());
    const waiting = due
      .filter(({ attempts }) => attempts < PARKED_AFTER)
      .map(
        ({ name, key, last_error }) =>
          `job ${name} ${key} is due${last_error ? ` (failed: ${last_error})` : ""}`,
      );
    if (this.#running.size > 0) waiting.push(`${this.#running.size} jobs are running`);
    return { waiting, next };
  }
}
