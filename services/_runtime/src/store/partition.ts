/** How many partitions every log has; fixed at its birth, for a stream's place depends on it. */
export const PARTITIONS = 16;

const encoder = new TextEncoder();

/** The partition a stream lives in for ever: FNV-1a (32 bit) of its name, modulo 16. */
export function partitionOf(stream: string): number {
  let hash = 0x811c9dc5;
  for (const byte of encoder.encode(stream)) {
    hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  }
  return hash % PARTITIONS;
}

/** Highest sequence seen per partition; index = partition. */
export type Vector = number[];

/** The beginning of every log. */
export const zero = (): Vector => new Array<number>(PARTITIONS).fill(0);

/** Whether the first has reached every position of the second. */
export const reached = (at: readonly number[], goal: readonly number[]): boolean =>
  goal.every((sequence, partition) => (at[partition] ?? 0) >= sequence);
