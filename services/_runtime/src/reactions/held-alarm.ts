import type { Logger } from "../logs.ts";
import type { Checkpoints } from "./checkpoints.ts";

const LOOK_MS = 60_000;
const ALARM_AFTER_MS = 15 * 60_000;

/** Tells the operators, in the log, of events that have been held for more than 15 minutes, until they go on or are discarded. */
export class HeldAlarm {
  readonly #checkpoints: Checkpoints;
  readonly #logger: Logger;
  readonly #timer: NodeJS.Timeout;

  constructor(checkpoints: Checkpoints, logger: Logger, everyMs = LOOK_MS) {
    this.#checkpoints = checkpoints;
    this.#logger = logger;
    this.#timer = setInterval(() => void this.look(), everyMs);
    this.#timer.unref();
  }

  /** Looks now, and answers how many readers hold something for too long. */
  async look(): Promise<number> {
    try {
      const readers = await this.#checkpoints.heldLongerThan(ALARM_AFTER_MS);
      for (const { reader, source, count, oldest, cause } of readers)
        this.#logger.error(
          { reader, source, count, oldest, cause },
          "events have been held for more than 15 minutes",
        );
      return readers.length;
    } catch (error) {
      this.#logger.warn({ error: (error as Error).message }, "can't look for held events");
      return 0;
    }
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
