import { PaymentMethodAdded } from "@tributary/contracts/events/billing";
import { facts } from "@tributary/runtime/facts";
import { when } from "@tributary/runtime/stream";
import { z } from "zod";

/** Whose a payment method is, by Stripe's id of it: what Stripe tells of a method or a mandate names no brand. */
export const methodOwners = facts("method-owners", z.object({ brand_id: z.string() }), {
  on: [when(PaymentMethodAdded, (_, { data: { brand_id } }) => ({ brand_id }))],
  key: ({ data: { stripe_payment_method_id } }) => stripe_payment_method_id,
});
