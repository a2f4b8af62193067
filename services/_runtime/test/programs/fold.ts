import { PostgresLog } from "../../src/log/postgres-log.ts";
import { Tail } from "../../src/log/tail.ts";
import { logger } from "../../src/logs.ts";
import { Folding } from "../../src/read-models/fold.ts";
import { PostgresDocumentStore } from "../../src/read-models/postgres-store.ts";
import type { ReadModel } from "../../src/read-models/read-model.ts";
import { ReadModelWorker } from "../../src/read-models/worker.ts";
import { openPool } from "../../src/store/pool.ts";
import { cratesOf, yardsOf } from "../toys/crates.ts";
import { configured, say, seeded } from "./telling.ts";

/** Where the documents lie, how many events this process takes at once, and at which of its calls of the store it dies by kill -9. */
export interface FoldingConfig {
  readonly url: string;
  readonly batch: number;
  readonly seed: number;
  readonly diesAt?: number;
}

const { url, batch, seed, diesAt } = configured<FoldingConfig>();
const random = seeded(seed);
const calls = { made: 0 };

/** A store that takes its time, so that others come in between, and at which this process may die. */
const perilous = (store: PostgresDocumentStore): PostgresDocumentStore =>
  new Proxy(store, {
    get: (target, name) => {
      const value = target[name as keyof typeof target] as unknown;
      if (typeof value !== "function") return value;
      if (!["load", "write", "move"].includes(String(name))) return value.bind(target);
      return async (...all: unknown[]) => {
        const last = ++calls.made === diesAt;
        await new Promise((resolve) => setTimeout(resolve, random() * 6));
        if (last && random() < 0.5) process.kill(process.pid, "SIGKILL");
        const answer = await value.apply(target, all);
        if (last) process.kill(process.pid, "SIGKILL");
        return answer;
      };
    },
  });

const silent = logger("fold", "error");
const tail = new Tail(new PostgresLog("program", url, silent), silent);
await tail.start();
const pool = openPool(url, { max: 4, log: silent, settings: "-c synchronous_commit=off" });
const workers = [cratesOf(), yardsOf()].map((model) => {
  const declared = model as unknown as ReadModel<never>;
  const store = perilous(new PostgresDocumentStore(pool, declared));
  return new ReadModelWorker(new Folding(declared), store, () => tail, silent, { batch });
});
for (const worker of workers) await worker.start();
process.on("message", async (message: { say: string; heads: number[] }) => {
  if (message.say !== "at?") return;
  const heads = new Map([["program", message.heads]]);
  await say("at", { there: workers.every((worker) => worker.standsAt(heads)) });
});
await say("ready");
