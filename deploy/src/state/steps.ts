/** Tells on the screen what is being done while it is done. */
export type Steps = {
  /** Announces the act, runs it, and says how long it took; a failure is named and passed on. */
  step<T>(what: string, act: () => Promise<T> | T): Promise<T>;
  /** One line without a duration. */
  say(line: string): void;
};

/** A printer of steps whose clock starts now: `[  1.2 s] Starting PostgreSQL ... 0.4 s`. */
export function steps(write: (text: string) => void = (text) => process.stdout.write(text)): Steps {
  const begun = performance.now();
  const seconds = (since: number) => ((performance.now() - since) / 1000).toFixed(1);
  const stamp = () => `[${seconds(begun).padStart(5)} s]`;
  return {
    async step(what, act) {
      write(`${stamp()} ${what} ...`);
      const since = performance.now();
      try {
        const result = await act();
        write(` ${seconds(since)} s\n`);
        return result;
      } catch (error) {
        write(` failed after ${seconds(since)} s\n`);
        throw error;
      }
    },
    say: (line) => write(`${stamp()} ${line}\n`),
  };
}
