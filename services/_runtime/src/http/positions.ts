import type { Positions } from "../act.ts";
import { PARTITIONS } from "../store/partition.ts";

/** Header of an answer: where what it did lies, `program=3:1042,5:17`. */
export const POSITION_HEADER = "x-position";
/** Header of a request: what the caller did in its last minute, wherever; several services by `;`. */
export const AFTER_HEADER = "x-after";
/** Header of an answer that doesn't show all of it yet. */
export const BEHIND_HEADER = "x-read-model";

/** Writes positions as header text. */
export const writePositions = (positions: Positions): string =>
  [...positions]
    .map(
      ([log, places]) =>
        `${log}=${[...places].map(([partition, sequence]) => `${partition}:${sequence}`).join(",")}`,
    )
    .join(";");

/** Reads header text; what isn't a position is left out, for it only ever makes a request wait. */
export function readPositions(text: string | undefined): Positions {
  const positions: Positions = new Map();
  for (const part of text?.split(";") ?? []) {
    const match = /^([a-z]+)=([\d:,]+)$/.exec(part.trim());
    if (!match) continue;
    const places = new Map<number, number>();
    for (const place of match[2]!.split(",")) {
      const [partition, sequence] = place.split(":").map(Number);
      if (partition === undefined || sequence === undefined) continue;
      if (partition < PARTITIONS && Number.isSafeInteger(sequence)) places.set(partition, sequence);
    }
    positions.set(match[1]!, places);
  }
  return positions;
}
