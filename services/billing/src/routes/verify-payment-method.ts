import { PaymentMethodVerificationFailed, PaymentMethodVerified } from "@tributary/contracts/events/billing";
import { VerifyPaymentMethod } from "@tributary/contracts/http/billing";
import { to } from "@tributary/runtime/decision";
import { conflict, notFound, type Refusal, unprocessable } from "@tributary/runtime/refusal";
import { route } from "@tributary/runtime/route";
import { z } from "zod";
import { paymentMethods } from "../payment-method.ts";
import { stripePartner } from "../stripe/client.ts";
import { bankRefused } from "../stripe/refusal-of.ts";
import { methodView } from "./add-payment-method.ts";

const input = z.strictObject({
  id: z.string(),
  amounts: z.array(z.int()).optional(),
  descriptor_code: z.string().optional(),
});

/** Stripe's codes that end the verification (partners, 5.4): the account must be added anew. */
const FINAL = [
  "payment_method_microdeposit_verification_attempts_exceeded",
  "payment_method_microdeposit_verification_timeout",
  "payment_method_microdeposit_failed",
  "payment_method_bank_account_blocked",
];

/** Stripe's refusal in a code of ours: `amounts_mismatch`, `descriptor_code_mismatch`, `attempts_exceeded`, `timeout`, ... */
function refusal(code: string, message: string): Refusal {
  const ours = code.replace("payment_method_", "").replace("microdeposit_verification_", "");
  const field = ours.startsWith("amounts_")
    ? "amounts"
    : ours.startsWith("descriptor_")
      ? "descriptor_code"
      : null;
  return unprocessable(ours, message, field ? [{ field, message }] : undefined);
}

/** The brand has seen the small deposits on its bank account: Stripe judges, and the account may be debited. */
export const verifyPaymentMethod = route("POST /api/payment-methods/:id/verify", {
  access: { as: "brand" },
  input,
  handle: async ({ id, ...given }, asking) => {
    const seen = VerifyPaymentMethod.safeParse(given);
    if (!seen.success)
      throw unprocessable(
        "verification_incomplete",
        "Give the two amounts in cents, or the code like SM11AA",
      );
    const brand_id = asking.caller!.brand_id!;
    const wallet = paymentMethods.at(brand_id);
    const { known } = await asking.read({ known: wallet });
    const method = known.methods.find(({ payment_method_id }) => payment_method_id === id);
    if (!method?.setup_intent_id) throw notFound("Payment method");
    if (method.verification_status === "verified") return methodView(method, known);
    if (method.verification_status === "failed")
      throw conflict("verification_over", "This account can't be verified any more; add it again");
    const record = (
      event: ReturnType<typeof PaymentMethodVerified> | ReturnType<typeof PaymentMethodVerificationFailed>,
    ) =>
      asking.act({ known: wallet }, ({ known }) => {
        const waits = known.methods.find(({ payment_method_id }) => payment_method_id === id);
        return waits?.verification_status === "pending" ? [to(wallet, event)] : [];
      });
    try {
      const setup = await asking.use(stripePartner).verifyDeposits(method.setup_intent_id, seen.data);
      if (setup.status === "pending")
        throw unprocessable("verification_pending", "The bank is still looking at it");
      const mandate_id = setup.mandate_id ?? method.mandate_id;
      await record(PaymentMethodVerified({ brand_id, payment_method_id: id, mandate_id }));
    } catch (error) {
      const refused = bankRefused(error);
      if (refused?.status !== "failed") throw error;
      const { code, message } = refused;
      if (FINAL.includes(code))
        await record(PaymentMethodVerificationFailed({ brand_id, payment_method_id: id, reason: code }));
      throw refusal(code, message);
    }
    const { now } = await asking.read({ now: wallet });
    return methodView(now.methods.find((one) => one.payment_method_id === id)!, now);
  },
});
