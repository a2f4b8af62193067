import { runDemo } from "../demo/run-demo.ts";
import { telling } from "../demo/telling.ts";

/** Plays the demo in silence and says what this process weighs when it is over. */
const [days] = process.argv.slice(2);
const said = await runDemo(
  { seed: 1, brands: 3, creators: 6, days: Number(days) },
  telling(() => undefined),
  new AbortController().signal,
  async () => ({ rss: process.memoryUsage().rss }),
);
process.stdout.write(`${JSON.stringify(said)}\n`);
process.exit(0);
