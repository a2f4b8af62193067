import { randomUUID } from "node:crypto";
import { expect, onTestFinished, test } from "vitest";
import { Gap, type Log, type Recorded } from "../src/log/log.ts";
import { Tail } from "../src/log/tail.ts";
import { logger } from "../src/logs.ts";
import { partitionOf, reached, type Vector, zero } from "../src/store/partition.ts";
import { MemoryLog } from "../src/testing/memory-log.ts";
import { CrateFilled } from "./toys/crates.ts";

const silent = logger("tail", "silent");
const never = new AbortController().signal;

/** A log that counts how often it is asked, and may leave out what a test wants to be missing. */
class WatchedLog extends MemoryLog {
  reads = 0;
  readonly missing = new Set<string>();

  override async read(after: readonly number[], limit: number): Promise<Recorded[]> {
    this.reads++;
    const events = await super.read(after, limit);
    return events.filter(({ partition, sequence }) => !this.missing.has(`${partition}:${sequence}`));
  }

  fill(stream: string, count: number): void {
    const events = Array.from({ length: count }, (_, n) => CrateFilled({ crate: "c", yard: "y", count: n }));
    this.record(stream, events, "2026-01-05T12:00:00.000Z", randomUUID);
  }
}

async function following(log = new WatchedLog("program")): Promise<{ log: WatchedLog; tail: Tail }> {
  const tail = new Tail(log as Log, silent);
  await tail.start();
  onTestFinished(() => tail.close());
  return { log, tail };
}

/** Reads to the heads as a reader does, and answers how many events came, each after the one before. */
async function readOn(tail: Tail, at: Vector, limit?: number): Promise<number> {
  let count = 0;
  while (!reached(at, tail.heads)) {
    const events = await tail.read(at, limit);
    if (events.length === 0)
      throw new Error(`nothing was told beyond ${at}, though heads are at ${tail.heads}`);
    for (const { partition, sequence } of events) {
      expect(sequence).toBe(at[partition]! + 1);
      at[partition] = sequence;
      count++;
    }
  }
  return count;
}

test("at the live edge many readers cost one fetch, whatever their bounds", async () => {
  const { log, tail } = await following();
  const readers = Array.from({ length: 20 }, () => zero());
  for (let round = 1; round <= 10; round++) {
    log.fill(`crate/${round}`, 30);
    const counts = await Promise.all(readers.map((at, n) => readOn(tail, at, n % 2 ? 7 : undefined)));
    expect(counts).toEqual(readers.map(() => 30));
    expect(log.reads).toBe(round);
  }
});

test("a reader that lags behind the ring reads for itself, misses nothing, and arrives at the live edge", async () => {
  const { log, tail } = await following();
  const live = zero();
  const lagging = zero();
  const partition = partitionOf("crate/1");
  let recorded = 0;
  for (let round = 0; round < 30; round++) {
    log.fill("crate/1", 300);
    recorded += 300;
    expect(await readOn(tail, live)).toBe(300);
  }
  const before = log.reads;
  expect(await readOn(tail, lagging)).toBe(recorded);
  expect(log.reads).toBeGreaterThan(before);
  log.fill("crate/1", 5);
  const edge = log.reads;
  expect([await readOn(tail, live), await readOn(tail, lagging)]).toEqual([5, 5]);
  expect(log.reads).toBe(edge + 1);
  expect(live[partition]).toBe(recorded + 5);
});

test("a burst longer than the ring is read to its end by everybody", async () => {
  const { log, tail } = await following();
  const at = zero();
  const other = zero();
  log.fill("crate/1", 10);
  expect(await readOn(tail, at)).toBe(10);
  log.fill("crate/1", 9000);
  log.fill("crate/2", 1);
  expect(await Promise.all([readOn(tail, at), readOn(tail, other)])).toEqual([9001, 9011]);
  log.fill("crate/2", 2);
  expect(await Promise.all([readOn(tail, at), readOn(tail, other)])).toEqual([2, 2]);
});

test("one who begins later than the log did finds all of it", async () => {
  const log = new WatchedLog("program");
  log.fill("crate/1", 700);
  const { tail } = await following(log);
  expect(await readOn(tail, zero())).toBe(700);
});

test("a missing sequence is noticed at the live edge and far behind, and nothing after it is told", async () => {
  const { log, tail } = await following();
  const partition = partitionOf("crate/1");
  log.missing.add(`${partition}:3`);
  log.fill("crate/1", 5);
  await expect(tail.read(zero())).rejects.toBeInstanceOf(Gap);
  await expect(tail.read(zero())).rejects.toThrow(
    `log program, partition ${partition}: expected sequence 3, found 4`,
  );
  log.missing.clear();
  expect(await readOn(tail, zero())).toBe(5);
  log.fill("crate/1", 9000);
  const lagging = zero().with(partition, 5);
  log.missing.add(`${partition}:100`);
  await expect(readOn(tail, lagging)).rejects.toBeInstanceOf(Gap);
  expect(lagging[partition]).toBeLessThan(100);
});

test("who waits beyond its position is woken by a writer of the same process, or by its own end", async () => {
  const { tail } = await following();
  const woken: string[] = [];
  const ends = new AbortController();
  const waits = [
    tail.beyond(zero(), never).then(() => woken.push("told")),
    tail.beyond(zero().with(2, 9), ends.signal).then(() => woken.push("ended")),
  ];
  tail.told(zero().with(2, 4));
  await waits[0];
  expect(woken).toEqual(["told"]);
  ends.abort();
  await Promise.all(waits);
  expect(woken).toEqual(["told", "ended"]);
  tail.told(zero().with(2, 3));
  expect(tail.heads).toEqual(zero().with(2, 4));
});
