import { client } from "@tributary/runtime/client";
import { stripeAccess } from "../settings.ts";
import { LiveStripe } from "./live-stripe.ts";
import type { StripePartner } from "./partner.ts";

/** Stripe itself, or the sandbox at STRIPE_API_URL. */
export const stripePartner = client<StripePartner>(
  "stripe",
  ({ use, network }) => new LiveStripe(use(stripeAccess), network),
);
