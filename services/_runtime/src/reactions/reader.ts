import type { Recorded } from "../log/log.ts";
import type { Tail } from "../log/tail.ts";
import type { Logger } from "../logs.ts";
import { Mutex } from "../mutex.ts";
import { type Vector, zero } from "../store/partition.ts";
import type { Move } from "../store/unit.ts";
import type { Checkpoints } from "./checkpoints.ts";

const RETRY_MS = 200;
const SAVE_AFTER_MS = 50;

/** What a reader is made of. */
export interface ReaderOptions {
  readonly name: string;
  readonly source: string;
  readonly tail: Tail;
  readonly checkpoints: Checkpoints;
  readonly logger: Logger;
  /** Most events per partition and take. */
  readonly batch: number;
  /** One take for all partitions together, or one for each at once. */
  readonly together: boolean;
  readonly hears: (event: Recorded) => boolean;
  /** Does what the events ask for and moves the checkpoints with it; false when one stood elsewhere. */
  readonly take: (events: readonly Recorded[], moves: readonly Move[]) => Promise<boolean>;
  /** Moves checkpoints past events that are not heard; false when one stood elsewhere. */
  readonly save: (moves: readonly Move[]) => Promise<boolean>;
  readonly moved: () => void;
}

/**
 * Reads one source for one consumer whose checkpoint counts exactly: one take per partition is under way. Events that nobody
 * hears move the position at once and the stored checkpoint a moment later, for forgetting them costs nothing.
 */
export class Reader {
  readonly source: string;
  position: Vector = zero();
  #stored: Vector = zero();
  readonly #options: ReaderOptions;
  readonly #stopping = new AbortController();
  readonly #saving = new Mutex();
  #loop: Promise<void> = Promise.resolve();
  #saveTimer: NodeJS.Timeout | undefined;
  #offReset: (() => void) | undefined;
  #again = false;

  constructor(options: ReaderOptions) {
    this.#options = options;
    this.source = options.source;
  }

  async start(): Promise<void> {
    await this.#begin();
    this.#offReset = this.#options.tail.onReset(() => {
      this.#again = true;
    });
    this.#loop = this.#follow();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#offReset?.();
    await this.#loop;
    clearTimeout(this.#saveTimer);
    await this.#save();
  }

  async #begin(): Promise<void> {
    this.#again = false;
    this.#stored = await this.#options.checkpoints.position(this.#options.name, this.source);
    this.position = [...this.#stored];
    this.#options.moved();
  }

  async #follow(): Promise<void> {
    const { signal } = this.#stopping;
    const { tail, logger } = this.#options;
    while (!signal.aborted) {
      try {
        if (this.#again) await this.#begin();
        await tail.beyond(this.position, signal);
        if (signal.aborted) return;
        await this.#batch();
      } catch (error) {
        if (signal.aborted) return;
        logger.warn(
          { source: this.source, error: (error as Error).message },
          "reading broke off; going on from the checkpoint",
        );
        this.#again = true;
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
  }

  async #batch(): Promise<void> {
    const { name, tail, batch, hears, together, take } = this.#options;
    const byPartition = new Map<number, Recorded[]>();
    for (const event of await tail.read(this.position, batch)) {
      const list = byPartition.get(event.partition);
      if (list) list.push(event);
      else byPartition.set(event.partition, [event]);
    }
    const relevant = [...byPartition].filter(([, list]) => list.some(hears));
    for (const [partition, list] of byPartition)
      if (!list.some(hears)) this.position[partition] = list.at(-1)!.sequence;
    const takes = together ? (relevant.length > 0 ? [relevant] : []) : relevant.map((one) => [one]);
    await this.#saving.run(async () => {
      const taken = await Promise.allSettled(
        takes.map(async (partitions) => {
          const moves = partitions.map(([partition, list]) => ({
            reader: name,
            source: this.source,
            partition,
            from: this.#stored[partition]!,
            to: list.at(-1)!.sequence,
          }));
          const stands = await take(
            partitions.flatMap(([, list]) => list.filter(hears)),
            moves,
          );
          for (const { partition, to } of stands ? moves : []) {
            this.position[partition] = to;
            this.#stored[partition] = to;
          }
          this.#options.moved();
          return stands;
        }),
      );
      for (const one of taken) {
        if (one.status === "rejected") throw one.reason;
        if (!one.value) this.#again = true;
      }
    });
    this.#options.moved();
    this.#saveTimer ??= setTimeout(() => void this.#save(), SAVE_AFTER_MS);
  }

  async #save(): Promise<void> {
    this.#saveTimer = undefined;
    await this.#saving.run(async () => {
      const moves = this.position.flatMap((to, partition) => {
        const from = this.#stored[partition]!;
        return to > from ? [{ reader: this.#options.name, source: this.source, partition, from, to }] : [];
      });
      if (moves.length === 0) return;
      try {
        if (!(await this.#options.save(moves))) this.#again = true;
        else for (const { partition, to } of moves) this.#stored[partition] = to;
      } catch (error) {
        this.#options.logger.warn(
          { error: (error as Error).message },
          "the checkpoint could not be saved; reading again from the stored one",
        );
        this.#again = true;
      }
    });
  }
}
