/** Tells whoever waits that something of a service has moved: a reader, a document, its end. */
export class Moves {
  readonly #waiting = new Set<() => void>();

  /** Something has moved. */
  tell(): void {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const go of waiting) go();
  }

  /** Resolves at the next move, or after so many milliseconds. */
  within(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const go = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(go);
        resolve();
      };
      const timer = setTimeout(go, milliseconds);
      this.#waiting.add(go);
    });
  }
}
