import type { Heard } from "@tributary/contracts/event";
import { ExplainNode } from "@tributary/contracts/http/explain";

/** The event a figure comes from, for its explanation. */
export const Recorded = ExplainNode.shape.recorded;

export const recordedBy = ({ time, actor, id, stream }: Heard) => ({
  at: time,
  by: actor,
  event_id: id,
  stream,
});
