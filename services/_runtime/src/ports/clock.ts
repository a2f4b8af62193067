/**
 * Business time: cycles, jobs, reports, partner delays. It follows the sandbox's virtual clock when there is one. Leases, tokens,
 * polls and timeouts use real time instead.
 */
export interface Clock {
  /** The present instant, ISO 8601 in UTC. */
  now(): string;
  /** Which move of a virtual clock this is; 0 on the real one. */
  readonly revision: number;
  /** Calls back after every move of a virtual clock; the answer stops it. */
  onMove(listener: () => void): () => void;
}

let written = { at: Number.NaN, text: "" };

/** An instant as text; written once per millisecond, for a busy process asks for the same one again and again. */
function textOf(at: number): string {
  if (at !== written.at) written = { at, text: new Date(at).toISOString() };
  return written.text;
}

/** The machine's own clock. */
export const realClock: Clock = {
  now: () => textOf(Date.now()),
  revision: 0,
  onMove: () => () => undefined,
};

/** A clock that stands still until it is set, for tests and for following a virtual one. */
export class SetClock implements Clock {
  #listeners = new Set<() => void>();
  #offset: number | null = null;
  #now: string;
  revision = 0;

  constructor(now: string) {
    this.#now = new Date(now).toISOString();
  }

  now(): string {
    return this.#offset === null ? this.#now : textOf(Date.now() + this.#offset);
  }

  /** Moves it; with `ticking` it runs on from there at the pace of real time. */
  set(now: string, revision = this.revision + 1, ticking = false): void {
    this.#now = new Date(now).toISOString();
    this.#offset = ticking ? Date.parse(now) - Date.now() : null;
    this.revision = revision;
    for (const listener of this.#listeners) listener();
  }

  onMove(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
