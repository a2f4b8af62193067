import { client } from "@tributary/runtime/client";
import { paypalAccess } from "../settings.ts";
import { LivePaypal } from "./live-paypal.ts";
import type { PaypalPartner } from "./partner.ts";

/** PayPal itself, or the sandbox at PAYPAL_API_URL. */
export const paypalPartner = client<PaypalPartner>(
  "paypal",
  ({ use, network, clock }) => new LivePaypal(use(paypalAccess), network, clock),
);
