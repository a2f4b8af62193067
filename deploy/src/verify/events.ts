import type { EventType } from "@tributary/contracts/event";
import { heardFrom } from "@tributary/runtime/log/heard";
import type { Recorded } from "@tributary/runtime/log/log";
import type { HeardOf } from "@tributary/runtime/reaction";
import { type Findings, placeOf } from "./findings.ts";
import type { Ground } from "./ground.ts";

/** The columns of an event as a log tells it. */
export const RECORDED = "partition, sequence, stream, version, id, type, data, meta, recorded_at as time";

/** Thrown at an event whose data doesn't fit its contract. */
export class Unreadable extends Error {
  constructor(
    readonly source: string,
    readonly event: Recorded,
    cause: unknown,
  ) {
    super(`cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }

  /** Names the event to whoever looks for what doesn't hold. */
  tell(findings: Findings): void {
    const { source, event } = this;
    findings.found(placeOf({ ...event, source } as never), this.message);
  }
}

/** All events of these types, which belong to one log, stream by stream and each stream in its order. */
export async function* events<const Ts extends readonly unknown[]>(
  ground: Ground,
  types: Ts,
): AsyncGenerator<HeardOf<Ts>> {
  const known = new Map((types as unknown as readonly EventType[]).map((type) => [type.type, type]));
  const { owner } = [...known.values()][0]!;
  const rows = ground
    .log(owner)
    .stream<Recorded & Record<string, unknown>>(
      `select ${RECORDED} from ${owner}.events where type = any($1) order by stream, version`,
      [[...known.keys()]],
    );
  for await (const row of rows) {
    try {
      yield heardFrom(owner, row, known.get(row.type)!) as HeardOf<Ts>;
    } catch (error) {
      throw new Unreadable(owner, row, error);
    }
  }
}

/** The same, one whole stream at a time. */
export async function* streams<const Ts extends readonly unknown[]>(
  ground: Ground,
  types: Ts,
): AsyncGenerator<readonly HeardOf<Ts>[]> {
  let stream: HeardOf<Ts>[] = [];
  const nameOf = (event: HeardOf<Ts>): string => (event as { stream: string }).stream;
  for await (const event of events(ground, types)) {
    if (stream[0] !== undefined && nameOf(stream[0]) !== nameOf(event)) {
      yield stream;
      stream = [];
    }
    stream.push(event);
  }
  if (stream.length > 0) yield stream;
}
