import { startLocal } from "../local.ts";
import { freePort } from "../state/free-port.ts";
import { steps } from "../state/steps.ts";

/** Starts the whole system on the directory given, says how long that took since this process began and what it weighs, and stops. */
const [directory] = process.argv.slice(2);
const local = await startLocal({
  steps: steps(() => undefined),
  port: await freePort(),
  level: "error",
  ...(directory ? { directory } : {}),
});
const said = { milliseconds: performance.now(), rss: process.memoryUsage().rss };
process.stdout.write(`${JSON.stringify(said)}\n`);
await local.stop(true);
process.exit(0);
