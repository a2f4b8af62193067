import { PaymentMethodDefaultSet } from "@tributary/contracts/events/billing";
import { command } from "@tributary/runtime/command";
import { conflict, notFound } from "@tributary/runtime/refusal";
import { z } from "zod";
import { paymentMethods } from "../payment-method.ts";
import { methodView } from "../routes/add-payment-method.ts";

/** The next attempt of any charge is made with this one. */
export const setDefaultPaymentMethod = command({
  route: "PATCH /api/payment-methods/:id",
  access: { as: "brand" },
  input: z.object({ id: z.string(), is_default: z.literal(true) }),
  stream: paymentMethods,
  id: (_, caller) => caller.brand_id!,
  decide: ({ id }, { methods, default_id }, _, { caller }) => {
    const method = methods.find(({ payment_method_id }) => payment_method_id === id);
    if (!method) throw notFound("Payment method");
    if (method.verification_status !== "verified")
      throw conflict("not_verified", "Verify this bank account before making it the default");
    if (default_id === id) return [];
    return [PaymentMethodDefaultSet({ brand_id: caller!.brand_id!, payment_method_id: id })];
  },
  reply: ({ methods, default_id }, { id }) =>
    methodView(methods.find(({ payment_method_id }) => payment_method_id === id)!, default_id),
});
