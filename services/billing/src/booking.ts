import { RevisionBooked } from "@tributary/contracts/events/billing";
import { stream, when } from "@tributary/runtime/stream";

/**
 * Which revisions of an earning have been booked. It outlives the months, so that an earning heard again after a close
 * can't land in a second one.
 */
export const booking = stream("booking", { entries: 0, revision: 0 }, [
  when(RevisionBooked, (_, { data: { entry, revision } }) => ({ entries: entry, revision })),
]);
