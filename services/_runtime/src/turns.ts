/**
 * Lets those who lost a race on one thing try again one after the other, in the order they came: each then decides on what the
 * one before has done, instead of losing to it.
 */
export class Turns {
  readonly #last = new Map<string, Promise<void>>();

  /** Resolves when it is this one's turn; the answer gives it on. */
  async take(key: string): Promise<() => void> {
    const before = this.#last.get(key);
    let give = (): void => undefined;
    const mine = new Promise<void>((resolve) => {
      give = resolve;
    });
    this.#last.set(key, mine);
    await before;
    return () => {
      if (this.#last.get(key) === mine) this.#last.delete(key);
      give();
    };
  }
}
