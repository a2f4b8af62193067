import { setTimeout as pause } from "node:timers/promises";

const PATIENCE_MS = 20_000;
const BETWEEN_MS = 25;

/** Asks again, as somebody who reloads a page, until the answer is there; gives up after 20 s and says what never came. */
export async function until<T>(what: string, ask: () => Promise<T | null | undefined | false>): Promise<T> {
  for (const deadline = performance.now() + PATIENCE_MS; ; await pause(BETWEEN_MS)) {
    const answer = await ask();
    if (answer !== null && answer !== undefined && answer !== false) return answer;
    if (performance.now() > deadline) throw new Error(`${what} never came`);
  }
}
