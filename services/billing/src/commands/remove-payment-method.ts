import { PaymentMethodRemoved } from "@tributary/contracts/events/billing";
import { command } from "@tributary/runtime/command";
import { conflict, notFound } from "@tributary/runtime/refusal";
import { z } from "zod";
import { paymentMethods } from "../payment-method.ts";
import { methodView } from "../routes/add-payment-method.ts";

/** The brand doesn't want to pay by this any more; the only one it can pay by stays, for creators wait for it. */
export const removePaymentMethod = command({
  route: "DELETE /api/payment-methods/:id",
  access: { as: "brand" },
  input: z.object({ id: z.string() }),
  stream: paymentMethods,
  id: (_, caller) => caller.brand_id!,
  decide: ({ id }, { methods }, _, { caller }) => {
    const method = methods.find(({ payment_method_id }) => payment_method_id === id);
    if (!method) throw notFound("Payment method");
    const verified = methods.filter(({ verification_status }) => verification_status === "verified");
    if (method.verification_status === "verified" && verified.length === 1)
      throw conflict("last_payment_method", "Add another payment method before removing your only one");
    return [PaymentMethodRemoved({ brand_id: caller!.brand_id!, payment_method_id: id })];
  },
  reply: (wallet) => ({ items: wallet.methods.map((method) => methodView(method, wallet)) }),
});
