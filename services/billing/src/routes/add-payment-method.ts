import { PaymentMethodAdded, PaymentMethodDefaultSet } from "@tributary/contracts/events/billing";
import { AddPaymentMethod, type PaymentMethodView } from "@tributary/contracts/http/billing";
import { to } from "@tributary/runtime/decision";
import { notFound, unprocessable } from "@tributary/runtime/refusal";
import { type Asking, answer, route } from "@tributary/runtime/route";
import { customerOf } from "../customer-of.ts";
import { paymentMethodId } from "../ids.ts";
import { type PaymentMethod, paymentMethods, type Wallet } from "../payment-method.ts";
import { stripePartner } from "../stripe/client.ts";
import type { KnownMethod, SetUp } from "../stripe/partner.ts";
import { bankRefused } from "../stripe/refusal-of.ts";

/** The method as its brand sees it. */
export const methodView = (
  method: PaymentMethod,
  of: Pick<Wallet, "default_id" | "backup_ids">,
): PaymentMethodView => {
  const { brand_id, stripe_customer_id, ach_fingerprint, setup_intent_id, mandate_id, ...view } = method;
  const id = method.payment_method_id;
  return { ...view, is_default: id === of.default_id, is_default_for_type: of.backup_ids.includes(id) };
};

/** A browser collects the brand's card or bank account with this. */
export const startSetup = route("POST /api/payment-methods/setup-intent", {
  access: { as: "brand" },
  handle: async (_, asking) => {
    const customer = await customerOf(asking.caller!.brand_id!, asking);
    return answer(201, await asking.use(stripePartner).startSetup(customer));
  },
});

/** Finds the method set up by the browser, or sets it up now (`anew`: in spite of what has been, for that has ended); another customer's doesn't exist for this brand. */
async function setUp(
  customer: string,
  id: string,
  anew: boolean,
  asking: Asking,
): Promise<{ method: KnownMethod; setup: SetUp | null }> {
  const stripe = asking.use(stripePartner);
  const method = await stripe.method(id);
  if (method?.stripe_customer_id && method.stripe_customer_id !== customer) throw notFound("Payment method");
  if (method?.blocked)
    throw unprocessable("payment_method_refused", "The bank lets nobody debit this account any more");
  const setup = method && (await stripe.setUpOf(customer, id));
  if (!anew && method && (method.stripe_customer_id || (setup && setup.status !== "failed")))
    return { method, setup };
  const ip_address = asking.address;
  const user_agent = asking.headers["user-agent"] ?? "unknown";
  try {
    return await stripe.setUp(customer, id, { ip_address, user_agent });
  } catch (error) {
    const refused = bankRefused(error);
    if (refused?.status === "failed") throw unprocessable("payment_method_refused", refused.message);
    throw error;
  }
}

/** The brand may be charged by this card or bank account from the next attempt on; the first becomes the default. */
export const addPaymentMethod = route("POST /api/payment-methods", {
  access: { as: "brand" },
  input: AddPaymentMethod,
  handle: async ({ stripe_payment_method_id }, asking) => {
    const brand_id = asking.caller!.brand_id!;
    const stripe_customer_id = await customerOf(brand_id, asking);
    const wallet = paymentMethods.at(brand_id);
    const { before } = await asking.read({ before: wallet });
    const anew = before.methods.some(
      (held) =>
        held.stripe_payment_method_id === stripe_payment_method_id && held.verification_status === "failed",
    );
    const { method, setup } = await setUp(stripe_customer_id, stripe_payment_method_id, anew, asking);
    const payment_method_id = paymentMethodId(brand_id, method.stripe_payment_method_id);
    const added = PaymentMethodAdded({
      ...{ brand_id, payment_method_id, stripe_customer_id },
      stripe_payment_method_id: method.stripe_payment_method_id,
      pm_type: method.pm_type,
      ...{
        bank_name: method.bank_name,
        bank_last4: method.bank_last4,
        ach_fingerprint: method.ach_fingerprint,
      },
      verification_status: setup?.status ?? "verified",
      verification_method: setup?.verification_method ?? null,
      setup_intent_id: setup?.setup_intent_id ?? null,
      mandate_id: method.pm_type === "us_bank_account" ? (setup?.mandate_id ?? null) : null,
      currency: "USD",
    });
    await asking.act({ known: wallet }, ({ known }) => {
      const held = known.methods.find((one) => one.payment_method_id === payment_method_id);
      if (held && (held.verification_status !== "failed" || held.setup_intent_id === setup?.setup_intent_id))
        return [];
      const first = !known.methods.some(
        (one) => one.payment_method_id === known.default_id && one.verification_status !== "failed",
      );
      return [
        to(wallet, added, ...(first ? [PaymentMethodDefaultSet({ brand_id, payment_method_id })] : [])),
      ];
    });
    const { now } = await asking.read({ now: wallet });
    const held = now.methods.find((one) => one.payment_method_id === payment_method_id);
    return answer(201, methodView(held!, now));
  },
});
