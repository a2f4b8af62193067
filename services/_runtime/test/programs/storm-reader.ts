import { createHash } from "node:crypto";
import { PostgresLog } from "../../src/log/postgres-log.ts";
import { Tail } from "../../src/log/tail.ts";
import { logger } from "../../src/logs.ts";
import { reached, zero } from "../../src/store/partition.ts";
import { configured, say, told } from "./telling.ts";

/** Which log to read, and how: along the tail, or asking the log itself in small bites. */
export interface Reading {
  readonly kind: "postgres";
  readonly url: string;
  readonly log: string;
  readonly way: "tail" | "bites";
}

const config = configured<Reading>();
const silent = logger("reader", "silent");
const opening: Record<Reading["kind"], () => PostgresLog> = {
  postgres: () => new PostgresLog(config.log, config.url, silent),
};
const log = opening[config.kind]();
const tail = new Tail(log, silent);
await tail.start();
const digests = zero().map(() => createHash("sha256"));
const at = zero();
let goal: readonly number[] | null = null;
const stopping = new AbortController();
void told("until").then(({ heads }) => {
  goal = heads as number[];
  tail.told(goal);
  if (reached(at, goal)) stopping.abort();
});
await say("ready");
let live = 0;
while (!(goal && reached(at, goal))) {
  await tail.beyond(at, stopping.signal);
  const events = config.way === "tail" ? await tail.read(at, 100) : await log.read(at, 7);
  for (const { partition, sequence, stream, version, id } of events) {
    if (sequence !== at[partition]! + 1)
      throw new Error(`${partition}:${sequence} came after ${at[partition]}`);
    at[partition] = sequence;
    digests[partition]!.update(`${sequence} ${stream} ${version} ${id}\n`);
  }
  if (!goal) live += events.length;
}
await say("done", { at, live, digests: digests.map((digest) => digest.digest("hex")) });
await tail.close();
process.disconnect!();
