import type { Day } from "@tributary/contracts/dates";
import { StripeEventsSwept } from "@tributary/contracts/events/billing";
import { stream, when } from "@tributary/runtime/stream";

/** How far Stripe has been asked for what its webhooks may have failed to bring. */
export const stripeSweep = stream("stripe-sweep", { through: null as Day | null }, [
  when(StripeEventsSwept, (_, { data: { through } }) => ({ through })),
]);
