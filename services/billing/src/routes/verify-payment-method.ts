import { PaymentMethodVerificationFailed, PaymentMethodVerified } from "@tributary/contracts/events/billing";
import { VerifyPaymentMethod } from "@tributary/contracts/http/billing";
import { to } from "@tributary/runtime/decision";
import { notFound, unprocessable } from "@tributary/runtime/refusal";
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
    try {
      const setup = await asking.use(stripePartner).verifyDeposits(method.setup_intent_id, seen.data);
      if (setup.status === "pending")
        throw unprocessable("verification_pending", "The bank is still looking at it");
      const verified = { brand_id, payment_method_id: id, mandate_id: setup.mandate_id ?? method.mandate_id };
      await asking.act({ known: wallet }, () => [to(wallet, PaymentMethodVerified(verified))]);
    } catch (error) {
      const refused = bankRefused(error);
      if (refused?.status !== "failed") throw error;
      if (/attempts_exceeded|timeout/.test(refused.code)) {
        const failed = { brand_id, payment_method_id: id, reason: refused.code };
        await asking.act({ known: wallet }, () => [to(wallet, PaymentMethodVerificationFailed(failed))]);
      }
      throw unprocessable("verification_failed", refused.message);
    }
    const { now } = await asking.read({ now: wallet });
    return methodView(now.methods.find((one) => one.payment_method_id === id)!, now);
  },
});
