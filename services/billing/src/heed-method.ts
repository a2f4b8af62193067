import { PaymentMethodBlocked } from "@tributary/contracts/events/billing";
import { to } from "@tributary/runtime/decision";
import type { Calling } from "@tributary/runtime/effect";
import { methodOwners } from "./facts/method-owners.ts";
import { paymentMethods } from "./payment-method.ts";
import { stripePartner } from "./stripe/client.ts";

type Heeded = "settled" | "nothing_new" | "not_ours";

/**
 * Something happened to a method that could be charged: when its bank blocks it, it was taken from the customer, or the
 * mandate it is debited under has ended, it can't be any more. An older mandate of the same method says nothing.
 */
export async function heedMethod(
  id: string,
  ended_mandate: string | null,
  calling: Calling,
): Promise<Heeded> {
  const { owner } = await calling.read({ owner: methodOwners.at(id) });
  if (!owner) return "not_ours";
  const { brand_id } = owner;
  const seen = await calling.use(stripePartner).method(id);
  const wallet = paymentMethods.at(brand_id);
  let moved = false;
  await calling.act({ known: wallet }, ({ known }) => {
    const method = known.methods.find(({ stripe_payment_method_id }) => stripe_payment_method_id === id);
    const ended = ended_mandate !== null && ended_mandate === method?.mandate_id;
    const detached = !seen?.stripe_customer_id;
    const reason = seen?.blocked?.reason ?? (detached ? "detached" : ended ? "mandate_inactive" : null);
    moved = method?.verification_status === "verified" && reason !== null;
    if (!method || !moved) return [];
    const { payment_method_id } = method;
    const network_code = seen?.blocked?.network_code ?? null;
    return [to(wallet, PaymentMethodBlocked({ brand_id, payment_method_id, reason: reason!, network_code }))];
  });
  return moved ? "settled" : "nothing_new";
}

/** A mandate has changed; only its end matters. */
export async function heedMandate(id: string, calling: Calling): Promise<Heeded> {
  const { stripe_payment_method_id, active } = await calling.use(stripePartner).mandate(id);
  return active ? "nothing_new" : heedMethod(stripe_payment_method_id, id, calling);
}
