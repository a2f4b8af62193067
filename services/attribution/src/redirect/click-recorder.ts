import type { Logger } from "@tributary/runtime/logs";

/** What the redirect notes of a shopper before it answers; turned into an event later. */
export interface Noted {
  readonly link_id: string;
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly address: string;
  readonly agent: string;
  readonly referrer: string;
}

/** Clicks per append. */
const BATCH = 1000;
/** Between two appends the redirect has the processor to itself, unless clicks pile up. */
const REST_MS = 200;
const RETRY_MS = 1000;
const PILED_UP = 50_000;
/** More than this is never held in memory; what comes on top is counted and lost. */
const FULL = 500_000;

/**
 * Takes clicks off the hot path: noting one is a push, and one drain at a time writes them in batches. What is lost when
 * the process is killed are the clicks since the last append: 200 ms of them, more only while more than 5000 come each second.
 */
export class ClickRecorder {
  #noted: Noted[] = [];
  #draining: Promise<void> | null = null;
  #lost = 0;

  constructor(
    private readonly record: (clicks: readonly Noted[]) => Promise<void>,
    private readonly pause: (milliseconds: number) => Promise<void>,
    private readonly log: Logger,
    private readonly background: (work: Promise<unknown>) => void,
  ) {}

  note(click: Noted): void {
    if (this.#noted.length >= FULL) {
      this.#lost++;
      return;
    }
    this.#noted.push(click);
    if (this.#draining) return;
    this.#draining = this.#drain();
    this.background(this.#draining);
  }

  /** Writes what is left, without rest; for the moment before the service stops. */
  async finish(): Promise<void> {
    await Promise.allSettled([this.#draining]);
    while (this.#noted.length > 0) await this.record(this.#noted.splice(0, BATCH));
  }

  async #drain(): Promise<void> {
    try {
      while (this.#noted.length > 0) {
        await this.#write(this.#noted.splice(0, BATCH));
        if (this.#noted.length > 0 && this.#noted.length < PILED_UP) await this.pause(REST_MS);
      }
    } finally {
      this.#draining = null;
      if (this.#lost > 0) this.log.error({ lost: this.#lost }, "more clicks came than fit into memory");
      this.#lost = 0;
    }
  }

  /** What can't be written now goes back in front and is tried again a second later. */
  async #write(clicks: Noted[]): Promise<void> {
    try {
      await this.record(clicks);
    } catch (error) {
      this.#noted = [...clicks, ...this.#noted];
      this.log.error({ err: error, waiting: this.#noted.length }, "clicks could not be recorded");
      await this.pause(RETRY_MS);
    }
  }
}
