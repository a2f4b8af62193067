import type { Vector } from "../store/partition.ts";

/** An event as a log tells it; `data` is the stored JSON, read again at every listener's door. */
export interface Recorded {
  readonly partition: number;
  readonly sequence: number;
  readonly stream: string;
  readonly version: number;
  readonly id: string;
  readonly type: string;
  readonly data: unknown;
  readonly meta: {
    readonly actor?: string;
    readonly correlationid: string;
    readonly causationid?: string;
    readonly traceparent?: string;
  };
  readonly time: string;
}

/** A gap: a sequence is missing where none can be. The reader stops and says so; reading again may heal it. */
export class Gap extends Error {
  constructor(log: string, partition: number, expected: number, found: number) {
    super(`log ${log}, partition ${partition}: expected sequence ${expected}, found ${found}`);
    this.name = "Gap";
  }
}

/**
 * How a service hears: its own events, and those of others. Every partition is a sequence without gaps in commit order. All
 * adapters pass the suite in test/suites/log.ts.
 */
export interface Log {
  readonly name: string;
  /** The highest sequence of each partition right now. */
  heads(): Promise<Vector>;
  /** Events after a position, in order within each partition, at most so many for each; partitions at their end give nothing. */
  read(after: readonly number[], limitPerPartition: number): Promise<Recorded[]>;
  /** Calls back when heads have moved (some entries may be 0: not told). `broken` when what was told may be lost. The answer stops it. */
  follow(onHeads: (heads: Vector) => void, onBroken: () => void): Promise<() => Promise<void>>;
  close(): Promise<void>;
}
