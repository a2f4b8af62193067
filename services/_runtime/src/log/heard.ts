import type { EventType, Heard } from "@tributary/contracts/event";
import type { Recorded } from "./log.ts";

const decoded = new WeakMap<Recorded, Heard>();

/** How an event is read at a listener's door. Throws when a field it knows doesn't fit: the event is then held. */
export type Hear = (source: string, event: Recorded, type: EventType) => Heard;

/** Reads an event at the door of the first listener in this process; the others find it read. */
export const heardFrom: Hear = (source, event, type) => {
  const known = decoded.get(event);
  if (known) return known;
  const heard = heardOnce(source, event, type);
  decoded.set(event, heard);
  return heard;
};

/** Reads an event that nobody else will ask for: remembering hundreds of thousands would keep the garbage collector busy. */
export const heardOnce: Hear = (source, event, type) => ({
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
});

/** The brand an event speaks of, for operators and for completeness; null when it speaks of none. */
export const tenantOf = (event: Recorded): string | null => {
  const { brand_id } = event.data as { brand_id?: unknown };
  return typeof brand_id === "string" ? brand_id : null;
};
