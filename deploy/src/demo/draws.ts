import { createHash } from "node:crypto";

/** Chances that are the same for the same seed, whatever the machine, the clock or anybody else draws. */
export class Draws {
  #state: number;
  readonly #name: string;

  constructor(name: string) {
    this.#name = name;
    this.#state = createHash("sha256").update(name).digest().readUInt32LE(0);
  }

  /** Chances of their own for one matter, so that what is drawn there moves nothing elsewhere. */
  of(matter: string): Draws {
    return new Draws(`${this.#name}/${matter}`);
  }

  /** A fraction from 0 up to but without 1 (mulberry32). */
  fraction(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** A whole number between the two, both included. */
  between(least: number, most: number): number {
    return least + Math.floor(this.fraction() * (most - least + 1));
  }

  /** True so often out of a hundred times. */
  chance(percent: number): boolean {
    return this.fraction() * 100 < percent;
  }
}
