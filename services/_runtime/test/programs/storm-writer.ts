import { randomUUID } from "node:crypto";
import { logger } from "../../src/logs.ts";
import { realClock } from "../../src/ports/clock.ts";
import { openPool } from "../../src/store/pool.ts";
import type { Append, StoredEvent, Verdict } from "../../src/store/unit.ts";
import { Writer } from "../../src/store/writer.ts";
import { configured, say, seeded, told } from "./telling.ts";

/** What this process is to write, and where. */
export interface Storm {
  readonly url: string;
  readonly log: string;
  readonly seed: number;
  readonly writers: number;
  /** Events that must stand when this process is done. */
  readonly events: number;
  readonly shared: number;
  readonly races: number;
}

/** What was asked of the store, and what it answered. */
export interface Asked {
  readonly unit: string;
  /** `guilty` must be refused, `innocent` must stand, `racing` may lose to another writer. */
  readonly kind: "guilty" | "innocent" | "racing";
  readonly appends: readonly { readonly stream: string; readonly expect: number; readonly count: number }[];
  readonly verdict: Verdict;
}

const config = configured<Storm>();
const random = seeded(config.seed);
const silent = logger("storm", "silent");
const asked: Asked[] = [];
const known = new Map<string, number>();
const left = { events: config.events };

const eventsOf = (unit: string, count: number): StoredEvent[] =>
  Array.from({ length: count }, (_, n) => ({
    id: randomUUID(),
    type: "Said",
    data: JSON.stringify({ unit, n }),
    meta: JSON.stringify({ correlationid: unit }),
  }));

async function ask(writer: Writer, unit: string, kind: Asked["kind"], appends: Omit<Append, "events">[]) {
  const filled = appends.map((append, at) => ({
    ...append,
    events: eventsOf(`${unit}/${at}`, 1 + Math.floor(random() * 3)),
  }));
  const verdict = await writer.append({ append: filled });
  asked.push({
    unit,
    kind,
    appends: filled.map(({ stream, expect, events }) => ({ stream, expect, count: events.length })),
    verdict,
  });
  if (verdict.refused !== null) return;
  filled.forEach(({ stream, events }, at) => {
    known.set(stream, Math.max(known.get(stream) ?? 0, verdict.appended[at]!.base + events.length));
    left.events -= events.length;
  });
}

/** One of several units a writer has in flight: its own streams are its alone, so that it knows their versions. */
async function lane(writer: Writer, name: string): Promise<void> {
  const own = (n: number): Omit<Append, "events"> => {
    const stream = `own/${name}-${n}`;
    return { stream, expect: known.get(stream) ?? 0 };
  };
  for (let n = 0; left.events > 0; n++) {
    const unit = `${name}-${n}`;
    const shared = `shared/${Math.floor(random() * config.shared)}`;
    const spans = random() < 0.1 ? [1, 2, 3].map((more) => own(more)) : [];
    const onShared = random() < 1 / 3;
    const first = onShared ? { stream: shared, expect: -1 } : own(0);
    if (random() < 0.2) {
      const seen = known.get(first.stream) ?? 0;
      const stale = random() < 0.5 && seen > 0 ? seen - 1 : seen + 100_000;
      await ask(writer, unit, "guilty", [{ ...first, expect: stale }, ...spans]);
    } else if (onShared && random() < 0.5) {
      await ask(writer, unit, "racing", [{ ...first, expect: known.get(shared) ?? 0 }, ...spans]);
    } else await ask(writer, unit, "innocent", [first, ...spans]);
  }
}

const pools = Array.from({ length: config.writers }, () => openPool(config.url, { max: 2, log: silent }));
const writers = pools.map((pool) => new Writer(pool, config.log, realClock, () => undefined));
await Promise.all(pools.map((pool) => pool.query("select 1")));
await say("ready");
await told("go");
const creations = Array.from({ length: config.races }, (_, n) =>
  ask(writers[n % writers.length]!, `race-${config.seed}-${n}`, "racing", [
    { stream: `race/${n}`, expect: 0 },
  ]),
);
await Promise.all([
  ...creations,
  ...writers.flatMap((writer, w) => [0, 1, 2].map((l) => lane(writer, `${config.seed}-${w}-${l}`))),
]);
await Promise.all(pools.map((pool) => pool.end()));
await say("done", { asked });
process.disconnect!();
