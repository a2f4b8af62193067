import { amazon } from "./amazon/amazon.ts";
import type { AnyPartner } from "./core/partner.ts";
import { identity } from "./identity/identity.ts";
import { paypal } from "./paypal/paypal.ts";
import { stripe } from "./stripe/stripe.ts";

/** Everybody the sandbox plays. */
export const partners: AnyPartner[] = [identity, amazon, stripe, paypal];
