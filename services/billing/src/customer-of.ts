import { PaymentCustomerOpened } from "@tributary/contracts/events/billing";
import type { Acting } from "@tributary/runtime/acting";
import { to } from "@tributary/runtime/decision";
import { paymentMethods } from "./payment-method.ts";
import { stripePartner } from "./stripe/client.ts";

/** The brand as Stripe's customer, opened on first asking. */
export async function customerOf(brand_id: string, acting: Acting): Promise<string> {
  const wallet = paymentMethods.at(brand_id);
  const { known } = await acting.read({ known: wallet });
  if (known.stripe_customer_id) return known.stripe_customer_id;
  const stripe_customer_id = await acting.use(stripePartner).openCustomer(brand_id);
  await acting.act({ known: wallet }, ({ known }) =>
    known.stripe_customer_id ? [] : [to(wallet, PaymentCustomerOpened({ brand_id, stripe_customer_id }))],
  );
  return stripe_customer_id;
}
