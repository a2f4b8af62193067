import { GrossUp } from "@tributary/contracts/events/billing";
import { parseCents } from "@tributary/contracts/money";
import { settings } from "@tributary/runtime/client";
import { z } from "zod";

/** The policy of the close (scenario rules, Input: settings). */
export const closing = settings(
  z.object({
    CLOSE_DAY: z.coerce.number().int().min(1).max(31).default(3),
    MIN_PAYOUT: z
      .string()
      .default("10.00")
      .refine((text) => (parseCents(text) ?? -1n) >= 0n, "must be dollars such as 10.00"),
    GROSS_UP: GrossUp.default("card"),
  }),
);

/** Where the product is reached by a browser: partners send people back there. */
export const publicly = settings(z.object({ PUBLIC_URL: z.url() }));

/** Access to Stripe, and the secrets its two webhook endpoints sign with. */
export const stripeAccess = settings(
  z.object({
    STRIPE_SECRET_KEY: z.string().min(1),
    STRIPE_API_URL: z.url().default("https://api.stripe.com"),
    STRIPE_WEBHOOK_SECRET: z.string().min(1),
    STRIPE_CONNECT_WEBHOOK_SECRET: z.string().min(1),
  }),
);

/** Access to PayPal, and which hosts may serve the certificates its webhooks are signed with. */
export const paypalAccess = settings(
  z.object({
    PAYPAL_API_URL: z.url().default("https://api-m.paypal.com"),
    PAYPAL_CLIENT_ID: z.string().min(1),
    PAYPAL_CLIENT_SECRET: z.string().min(1),
    PAYPAL_WEBHOOK_ID: z.string().min(1),
    /** Host names (with a port where it isn't the usual one), separated by commas. */
    PAYPAL_CERT_HOSTS: z.string().default("api.paypal.com,api-m.paypal.com"),
  }),
);
