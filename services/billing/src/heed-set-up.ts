import { PaymentMethodVerificationFailed, PaymentMethodVerified } from "@tributary/contracts/events/billing";
import { to } from "@tributary/runtime/decision";
import type { Calling } from "@tributary/runtime/effect";
import { paymentMethods } from "./payment-method.ts";
import { stripePartner } from "./stripe/client.ts";

/** The setting-up of a method has come on: what Stripe says of it now counts, if the brand has added it and it still waits. */
export async function heedSetUp(
  id: string,
  calling: Calling,
): Promise<"settled" | "nothing_new" | "not_ours"> {
  const seen = await calling.use(stripePartner).setUpNamed(id);
  const { brand_id, status, mandate_id } = seen;
  if (!brand_id) return "not_ours";
  const wallet = paymentMethods.at(brand_id);
  let moved = false;
  await calling.act({ known: wallet }, ({ known }) => {
    const method = known.methods.find(({ setup_intent_id }) => setup_intent_id === id);
    moved = method?.verification_status === "pending" && status !== "pending";
    if (!method || !moved) return [];
    const of = { brand_id, payment_method_id: method.payment_method_id };
    if (status === "failed")
      return [to(wallet, PaymentMethodVerificationFailed({ ...of, reason: seen.reason ?? "setup_failed" }))];
    const mandate = method.pm_type === "us_bank_account" ? (mandate_id ?? method.mandate_id) : null;
    return [to(wallet, PaymentMethodVerified({ ...of, mandate_id: mandate }))];
  });
  return moved ? "settled" : "nothing_new";
}
