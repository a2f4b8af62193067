import type { EventType, Heard } from "@tributary/contracts/event";
import type { Recorded } from "./log.ts";

const decoded = new WeakMap<Recorded, Heard>();

/** Reads a recorded event at a listener's door. Throws when a field it knows doesn't fit: the event is then held. */
export function heardFrom(source: string, event: Recorded, type: EventType): Heard {
  const known = decoded.get(event);
  if (known) return known;
  const heard: Heard = {
    type: event.type,
    data: type.decode(event.data),
    id: event.id,
    source,
    stream: event.stream,
    version: event.version,
    partition: event.partition,
    sequence: event.sequence,
    time: event.time,
    actor: event.meta.actor ?? null,
    correlationid: event.meta.correlationid,
    causationid: event.meta.causationid ?? null,
  };
  decoded.set(event, heard);
  return heard;
}

/** The brand an event speaks of, for operators and for completeness; null when it speaks of none. */
export const tenantOf = (event: Recorded): string | null => {
  const { brand_id } = event.data as { brand_id?: unknown };
  return typeof brand_id === "string" ? brand_id : null;
};
