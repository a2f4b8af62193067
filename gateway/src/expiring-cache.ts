/** Remembers at most so many things until their time is up; the one not asked for the longest goes first. */
export class ExpiringCache<V> {
  readonly #entries = new Map<string, { readonly value: V; readonly until: number }>();
  readonly #most: number;
  readonly #now: () => number;

  /** `now` counts milliseconds and never goes back. */
  constructor(most: number, now: () => number) {
    this.#most = most;
    this.#now = now;
  }

  get(key: string): V | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    this.#entries.delete(key);
    if (entry.until <= this.#now()) return undefined;
    this.#entries.set(key, entry);
    return entry.value;
  }

  set(key: string, value: V, milliseconds: number): void {
    this.#entries.delete(key);
    const oldest = this.#entries.keys().next();
    if (this.#entries.size >= this.#most && !oldest.done) this.#entries.delete(oldest.value);
    this.#entries.set(key, { value, until: this.#now() + milliseconds });
  }

  clear(): void {
    this.#entries.clear();
  }

  get size(): number {
    return this.#entries.size;
  }
}
