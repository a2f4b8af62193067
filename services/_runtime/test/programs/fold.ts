import { PostgresLog } from "../../src/log/postgres-log.ts";
import { Tail } from "../../src/log/tail.ts";
import { logger } from "../../src/logs.ts";
import { Folding } from "../../src/read-models/fold.ts";
import { PostgresDocumentStore } from "../../src/read-models/postgres-store.ts";
import type { ReadModel } from "../../src/read-models/read-model.ts";
import { ReadModelWorker } from "../../src/read-models/worker.ts";
import { openPool } from "../../src/store/pool.ts";
import { cratesOf, yardsOf } from "../toys/crates.ts";
import { configured, say } from "./telling.ts";

/** Where the documents lie, and how many events this process takes at once. */
export interface FoldingConfig {
  readonly url: string;
  readonly batch: number;
}

const { url, batch } = configured<FoldingConfig>();
const silent = logger("fold", "error");
const tail = new Tail(new PostgresLog("program", url, silent), silent);
await tail.start();
const pool = openPool(url, { max: 4, log: silent, settings: "-c synchronous_commit=off" });
const workers = [cratesOf(), yardsOf()].map((model) => {
  const declared = model as unknown as ReadModel<never>;
  const store = new PostgresDocumentStore(pool, declared);
  return new ReadModelWorker(new Folding(declared), store, () => tail, silent, { batch });
});
for (const worker of workers) await worker.start();
process.on("message", async (message: { say: string; heads: number[] }) => {
  if (message.say !== "at?") return;
  const heads = new Map([["program", message.heads]]);
  await say("at", { there: workers.every((worker) => worker.standsAt(heads)) });
});
await say("ready");
