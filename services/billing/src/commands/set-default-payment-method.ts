import { PaymentMethodBackupSet, PaymentMethodDefaultSet } from "@tributary/contracts/events/billing";
import { ChangePaymentMethod } from "@tributary/contracts/http/billing";
import { command } from "@tributary/runtime/command";
import { conflict, notFound } from "@tributary/runtime/refusal";
import { z } from "zod";
import { paymentMethods } from "../payment-method.ts";
import { methodView } from "../routes/add-payment-method.ts";

/** The next attempt of any charge is made with the default, the attempts after a failed one with the backup. */
export const setDefaultPaymentMethod = command({
  route: "PATCH /api/payment-methods/:id",
  access: { as: "brand" },
  input: ChangePaymentMethod.extend({ id: z.string() }),
  stream: paymentMethods,
  id: (_, caller) => caller.brand_id!,
  decide: ({ id, is_default, is_default_for_type }, wallet, _, { caller }) => {
    const method = wallet.methods.find(({ payment_method_id }) => payment_method_id === id);
    if (!method) throw notFound("Payment method");
    if ((is_default || is_default_for_type) && method.verification_status !== "verified")
      throw conflict("not_verified", "Verify this bank account before charges can be made to it");
    const of = { brand_id: caller!.brand_id!, payment_method_id: id };
    const marked = wallet.backup_ids.includes(id);
    return [
      ...(is_default && wallet.default_id !== id ? [PaymentMethodDefaultSet(of)] : []),
      ...(is_default_for_type !== undefined && is_default_for_type !== marked
        ? [PaymentMethodBackupSet({ ...of, pm_type: method.pm_type, is_default_for_type })]
        : []),
    ];
  },
  reply: (wallet, { id }) =>
    methodView(wallet.methods.find(({ payment_method_id }) => payment_method_id === id)!, wallet),
});
