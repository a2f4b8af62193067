import type { Heard } from "@tributary/contracts/event";
import { zero } from "@tributary/runtime/store/partition";
import type { Ground } from "./ground.ts";

/** What a reader had dealt with at the moment of the snapshot. */
export interface Progress {
  /** Whether the event has been decided; not when it is still to be heard, or is held or stands behind one that is. */
  decided(event: Pick<Heard, "stream" | "partition" | "sequence">): boolean;
}

/** How far one of a service's readers had come with a log. */
export async function progressOf(
  ground: Ground,
  service: string,
  reader: string,
  source: string,
): Promise<Progress> {
  const state = ground.state(service);
  const position = zero();
  const heard = await state.rows<{ partition: number; position: number }>(
    "select partition, position from runtime.checkpoints where reader = $1 and source = $2",
    [reader, source],
  );
  for (const row of heard) position[row.partition] = row.position;
  const held = await state.rows<{ stream: string; sequence: number }>(
    "select stream, min(sequence) as sequence from runtime.held where reader = $1 and source = $2 group by stream",
    [reader, source],
  );
  const waits = new Map(held.map(({ stream, sequence }) => [stream, sequence]));
  return {
    decided: ({ stream, partition, sequence }) =>
      sequence <= position[partition]! && sequence < (waits.get(stream) ?? Number.POSITIVE_INFINITY),
  };
}
