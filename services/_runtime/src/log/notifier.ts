import type pg from "pg";
import type { Logger } from "../logs.ts";
import { type Vector, zero } from "../store/partition.ts";
import { channelOf, toldHeads } from "./postgres-log.ts";

/** Tells other processes about new heads, after the commit, coalesced, one notification under way at a time. */
export class Notifier {
  #heads: Vector = zero();
  #pending = false;
  #busy = false;

  constructor(
    readonly pool: pg.Pool,
    readonly log: string,
    readonly logger: Logger,
  ) {}

  /** Takes note of heads and sends them as soon as the line is free. A lost one is made good by the listeners' poll. */
  tell(heads: readonly number[]): void {
    heads.forEach((sequence, partition) => {
      this.#heads[partition] = Math.max(this.#heads[partition]!, sequence);
    });
    this.#pending = true;
    if (!this.#busy) void this.#send();
  }

  async #send(): Promise<void> {
    this.#busy = true;
    while (this.#pending) {
      this.#pending = false;
      try {
        await this.pool.query({
          name: "notify",
          text: "select pg_notify($1, $2)",
          values: [channelOf(this.log), toldHeads(this.#heads)],
        });
      } catch (error) {
        this.logger.warn(
          { log: this.log, error: (error as Error).message },
          "a notification was lost; listeners poll",
        );
      }
    }
    this.#busy = false;
  }
}
