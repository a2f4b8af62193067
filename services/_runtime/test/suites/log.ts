import type { NewEvent } from "@tributary/contracts/event";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Log, Recorded } from "../../src/log/log.ts";
import { PARTITIONS, partitionOf, reached, zero } from "../../src/store/partition.ts";
import { CrateFilled } from "../toys/crates.ts";

/** A log that nobody else reads, and how something gets into it. */
export interface OpenedLog {
  readonly log: Log;
  record(stream: string, events: readonly NewEvent[]): Promise<void>;
}

const filled = (from: number, count: number): NewEvent[] =>
  Array.from({ length: count }, (_, n) => CrateFilled({ crate: "c", yard: "y", count: from + n }));

/** One stream for each partition. */
const streams: string[] = (() => {
  const found = new Array<string | undefined>(PARTITIONS);
  for (let salt = 0; found.includes(undefined); salt++)
    found[partitionOf(`crate/${salt}`)] ??= `crate/${salt}`;
  return found as string[];
})();

const counts = (events: readonly Recorded[]): number[] =>
  events.map(({ data }) => (data as { count: number }).count);

/** What must hold of any log, whatever carries it. */
export function keepsItsWord(name: string, open: () => Promise<OpenedLog>): void {
  const opened = async (): Promise<OpenedLog> => {
    const one = await open();
    onTestFinished(() => one.log.close());
    return one;
  };

  describe(`${name} keeps its word`, () => {
    test("an empty log stands at the beginning of every partition and tells nothing", async () => {
      const { log } = await opened();
      expect(await log.heads()).toEqual(zero());
      expect(await log.read(zero(), 10)).toEqual([]);
    });

    test("events come as they were recorded, in order within their partition, each exactly where it lies", async () => {
      const { log, record } = await opened();
      await record(streams[3]!, filled(0, 2));
      await record(streams[9]!, [CrateFilled({ crate: "é𝄞\\", yard: "\u2028", count: 7 })]);
      await record(streams[3]!, filled(2, 1));
      expect(await log.heads()).toEqual(zero().with(3, 3).with(9, 1));
      const events = await log.read(zero(), 10);
      const [third, ninth] = [3, 9].map((partition) =>
        events.filter((event) => event.partition === partition),
      );
      expect(third!.map(({ sequence, version, stream }) => [sequence, version, stream])).toEqual([
        [1, 1, streams[3]],
        [2, 2, streams[3]],
        [3, 3, streams[3]],
      ]);
      expect(counts(third!)).toEqual([0, 1, 2]);
      expect(ninth).toMatchObject([
        { type: "CrateFilled", data: { crate: "é𝄞\\", yard: "\u2028", count: 7 } },
      ]);
      expect(new Set(events.map(({ id }) => id)).size).toBe(4);
      for (const { time, meta } of events) {
        expect(new Date(time).toISOString().slice(0, 19)).toBe(time.slice(0, 19));
        expect(meta.correlationid).toEqual(expect.any(String));
      }
    });

    test("reading goes on after any position, with a bound for each partition, and misses nothing", async () => {
      const { log, record } = await opened();
      for (const [partition, stream] of streams.entries())
        if (partition > 0) await record(stream, filled(0, partition));
      const at = zero();
      const seen = zero();
      for (;;) {
        const events = await log.read(at, 4);
        if (events.length === 0) break;
        const taken = zero();
        for (const { partition, sequence } of events) {
          expect(sequence).toBe(at[partition]! + 1);
          at[partition] = sequence;
          seen[partition]!++;
          taken[partition]!++;
        }
        expect(Math.max(...taken)).toBeLessThanOrEqual(4);
      }
      expect(seen).toEqual(streams.map((_, partition) => partition));
      expect(at).toEqual(await log.heads());
    });

    test("sequences are numbers: the tenth comes after the ninth", async () => {
      const { log, record } = await opened();
      await record(streams[5]!, filled(0, 25));
      expect(counts(await log.read(zero().with(5, 8), 10))).toEqual(
        Array.from({ length: 10 }, (_, n) => 8 + n),
      );
    });

    test("who follows is told soon that heads have moved, and no more once it stops", async () => {
      const { log, record } = await opened();
      const told = zero();
      let calls = 0;
      const stop = await log.follow(
        (heads) => {
          calls++;
          for (const [partition, head] of heads.entries()) told[partition] = Math.max(told[partition]!, head);
        },
        () => undefined,
      );
      await record(streams[0]!, filled(0, 1));
      await record(streams[15]!, filled(0, 3));
      await expect
        .poll(() => reached(told, zero().with(0, 1).with(15, 3)), { timeout: 5000, interval: 5 })
        .toBe(true);
      await stop();
      const before = calls;
      await record(streams[0]!, filled(1, 1));
      expect(await log.heads()).toEqual(zero().with(0, 2).with(15, 3));
      expect(calls).toBe(before);
    });
  });
}
