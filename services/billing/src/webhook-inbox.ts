import {
  PaypalEventReceived,
  StripeEventReceived,
  WebhookProcessed,
} from "@tributary/contracts/events/billing";
import { stream, when } from "@tributary/runtime/stream";

type State = "unknown" | "received" | "processed";

/** One webhook of Stripe, by environment and event id: heard any number of times, stored and acted upon once. */
export const stripeEvent = stream("stripe-event", "unknown" as State, [
  when(StripeEventReceived, () => "received"),
  when(WebhookProcessed, () => "processed"),
]);

/** One webhook of PayPal, by event id. */
export const paypalEvent = stream("paypal-event", "unknown" as State, [
  when(PaypalEventReceived, () => "received"),
  when(WebhookProcessed, () => "processed"),
]);
