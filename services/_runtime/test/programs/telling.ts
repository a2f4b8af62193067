/** Says something to the test that started this program; resolves when it is on its way. */
export const say = (name: string, more: object = {}): Promise<void> =>
  new Promise((resolve, reject) => {
    process.send!({ say: name, ...more }, (error: Error | null) => (error ? reject(error) : resolve()));
  });

/** Waits until the test says this. */
export const told = (name: string): Promise<Record<string, unknown>> =>
  new Promise((resolve) => {
    const listen = (message: { say: string }): void => {
      if (message.say !== name) return;
      process.off("message", listen);
      resolve(message);
    };
    process.on("message", listen);
  });

/** What the test configured this program with. */
export const configured = <T>(): T => JSON.parse(process.argv[2]!) as T;

/** Numbers that look random and are the same for the same seed (mulberry32): between 0 and 1. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
