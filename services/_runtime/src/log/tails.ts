import type { Logger } from "../logs.ts";
import type { Log } from "./log.ts";
import { Tail } from "./tail.ts";

/** The tails of a process: one per source, shared by everything in it that hears that source. */
export class Tails {
  readonly #open: (source: string) => Log;
  readonly #logger: Logger;
  readonly #tails = new Map<string, Tail>();
  readonly #starting = new Map<string, Promise<Tail>>();

  constructor(open: (source: string) => Log, logger: Logger) {
    this.#open = open;
    this.#logger = logger;
  }

  /** The tail of a source, following; begun when it is first asked for. */
  start(source: string): Promise<Tail> {
    let starting = this.#starting.get(source);
    if (!starting) {
      const tail = new Tail(this.#open(source), this.#logger);
      this.#tails.set(source, tail);
      starting = tail.start().then(() => tail);
      this.#starting.set(source, starting);
    }
    return starting;
  }

  /** One that has been started before. */
  get(source: string): Tail {
    const tail = this.#tails.get(source);
    if (!tail) throw new Error(`nobody follows ${source} in this process`);
    return tail;
  }

  /** Tells a tail of this process where its log stands, without a detour through the engine. */
  told(source: string, heads: readonly number[]): void {
    this.#tails.get(source)?.told(heads);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#tails.values()].map((tail) => tail.close()));
  }
}
