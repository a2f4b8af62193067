import type { Logger } from "../logs.ts";
import { reached, type Vector, zero } from "../store/partition.ts";
import { Gap, type Log, type Recorded } from "./log.ts";

const RING = 4096;
const FETCH = 500;
const POLL_MS = 1000;

/**
 * One per process and source: it knows the heads, fetches the live edge once for all readers and keeps the recent events at
 * hand. Readers that lag behind the ring read for themselves. A lost notification costs at most one poll.
 */
export class Tail {
  readonly log: Log;
  readonly #logger: Logger;
  #heads: Vector = zero();
  #ring: Recorded[][] = zero().map(() => []);
  #ringHeads: Vector = zero();
  #waiting = new Set<() => void>();
  #resets = new Set<() => void>();
  #fetching: Promise<void> | null = null;
  #asking: Promise<Vector> | null = null;
  #next: Promise<Vector> | null = null;
  #stop: (() => Promise<void>) | null = null;
  #poll: NodeJS.Timeout | undefined;
  #closing = false;
  #closed = false;

  constructor(log: Log, logger: Logger) {
    this.log = log;
    this.#logger = logger;
  }

  /** Begins to follow; the ring starts at the present heads. */
  async start(): Promise<void> {
    this.#stop = await this.log.follow(
      (heads) => this.told(heads),
      () => {
        for (const reset of this.#resets) reset();
        void this.#look();
      },
    );
    this.told(await this.log.heads());
    this.#ringHeads = [...this.#heads];
    const poll = (): void => {
      if (this.#closing) return;
      this.#poll = setTimeout(() => void this.#look().finally(poll), POLL_MS);
      this.#poll.unref();
    };
    poll();
  }

  async close(): Promise<void> {
    this.#closing = true;
    clearTimeout(this.#poll);
    await Promise.allSettled([this.#next, this.#asking]);
    await this.#stop?.();
    await this.#fetching;
    await this.log.close();
    this.#closed = true;
    this.#wake();
  }

  /** Heads as far as anybody told; never ahead of the log. */
  get heads(): Vector {
    return this.#heads;
  }

  /** A writer of this process, or a notification, tells where partitions stand now (0: not told). */
  told(heads: readonly number[]): void {
    let moved = false;
    heads.forEach((sequence, partition) => {
      if (sequence > this.#heads[partition]!) {
        this.#heads[partition] = sequence;
        moved = true;
      }
    });
    if (moved) this.#wake();
  }

  /** Asks the engine itself where the log stands, and takes note. Who asks while a question is under way shares the next one. */
  look(): Promise<Vector> {
    this.#next ??= this.#askNext();
    return this.#next;
  }

  /** Never an answer that was on its way already: it may not know what the caller knows. */
  async #askNext(): Promise<Vector> {
    await Promise.allSettled([this.#asking]);
    await new Promise(setImmediate);
    this.#next = null;
    this.#asking = this.log.heads();
    const heads = await this.#asking;
    this.told(heads);
    return heads;
  }

  async #look(): Promise<void> {
    try {
      await this.look();
    } catch (error) {
      this.#logger.warn({ log: this.log.name, error: (error as Error).message }, "can't ask for the heads");
    }
  }

  #wake(): void {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const go of waiting) go();
  }

  /** Resolves when some head lies beyond this position, or the signal ends the wait. */
  beyond(position: readonly number[], signal: AbortSignal): Promise<void> {
    if (signal.aborted || !reached(position, this.#heads)) return Promise.resolve();
    return new Promise((resolve) => {
      const go = (): void => {
        if (reached(position, this.#heads) && !signal.aborted && !this.#closed) {
          this.#waiting.add(go);
          return;
        }
        signal.removeEventListener("abort", go);
        this.#waiting.delete(go);
        resolve();
      };
      this.#waiting.add(go);
      signal.addEventListener("abort", go, { once: true });
    });
  }

  /** Tells when positions kept in memory may be ahead of what the engine still knows. */
  onReset(listener: () => void): () => void {
    this.#resets.add(listener);
    return () => this.#resets.delete(listener);
  }

  /** Events after a position: from the ring at the live edge, otherwise from the log. Throws Gap when one is missing. */
  async read(position: readonly number[], limitPerPartition = FETCH): Promise<Recorded[]> {
    if (!this.#inRing(position))
      return this.#checked(position, await this.log.read(position, limitPerPartition));
    if (!reached(this.#ringHeads, this.#heads)) {
      this.#fetching ??= this.#fetch().finally(() => {
        this.#fetching = null;
      });
      await this.#fetching;
      if (!this.#inRing(position))
        return this.#checked(position, await this.log.read(position, limitPerPartition));
    }
    const found: Recorded[] = [];
    position.forEach((after, partition) => {
      const ring = this.#ring[partition]!;
      const from = ring.length - (this.#ringHeads[partition]! - after);
      for (let at = Math.max(0, from); at < ring.length && at < from + limitPerPartition; at++)
        found.push(ring[at]!);
    });
    return found;
  }

  #inRing(position: readonly number[]): boolean {
    return position.every(
      (after, partition) => after >= this.#ringHeads[partition]! - this.#ring[partition]!.length,
    );
  }

  async #fetch(): Promise<void> {
    const behind = this.#heads.some((head, partition) => head - this.#ringHeads[partition]! > RING);
    if (behind) {
      this.#ring = zero().map(() => []);
      this.#ringHeads = [...this.#heads];
      return;
    }
    const events = this.#checked(this.#ringHeads, await this.log.read(this.#ringHeads, FETCH));
    for (const event of events) {
      this.#ring[event.partition]!.push(event);
      this.#ringHeads[event.partition] = event.sequence;
    }
    for (const ring of this.#ring) if (ring.length > RING) ring.splice(0, ring.length - RING / 2);
    this.told(this.#ringHeads);
  }

  #checked(after: readonly number[], events: Recorded[]): Recorded[] {
    const at = [...after];
    for (const { partition, sequence } of events) {
      if (sequence !== at[partition]! + 1)
        throw new Gap(this.log.name, partition, at[partition]! + 1, sequence);
      at[partition] = sequence;
    }
    return events;
  }
}
