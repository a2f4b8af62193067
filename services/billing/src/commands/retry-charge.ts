import { ChargeRetryRequested } from "@tributary/contracts/events/billing";
import { RetryCharge } from "@tributary/contracts/http/billing";
import { command } from "@tributary/runtime/command";
import { conflict, notFound, unprocessable } from "@tributary/runtime/refusal";
import { z } from "zod";
import { charge } from "../charge.ts";
import { chargeable, type PaymentMethod, paymentMethods, type Wallet } from "../payment-method.ts";
import { attemptStarted, identity } from "../settle-charge.ts";

function named(wallet: Wallet, id: string | undefined): PaymentMethod {
  if (id === undefined) {
    const method = chargeable(wallet);
    if (!method) throw unprocessable("no_payment_method", "Add a card or verify your bank account first");
    return method;
  }
  const method = wallet.methods.find(({ payment_method_id }) => payment_method_id === id);
  if (method?.verification_status === "verified") return method;
  const message = method ? "This payment method can't be charged" : "You have no such payment method";
  throw unprocessable("payment_method_unusable", message, [{ field: "payment_method_id", message }]);
}

/**
 * The brand wants a failed or past-due charge tried again now. Of two askers one begins the attempt: the other finds it
 * under way.
 */
export const retryChargeByHand = command({
  route: "POST /api/billing/charges/:id/retry",
  access: { as: "brand", owns: (_, state) => state?.request.brand_id },
  input: RetryCharge.extend({ id: z.string() }),
  stream: charge,
  id: ({ id }) => id,
  reads: (_, caller) => ({ wallet: paymentMethods.at(caller.brand_id!) }),
  decide: ({ payment_method_id = null }, state, { wallet }) => {
    if (!state) throw notFound("Charge");
    if (state.status !== "failed" && state.status !== "past_due")
      throw conflict("not_retriable", "Only a failed or overdue charge can be tried again");
    const method = named(wallet, payment_method_id ?? undefined);
    const attempt = state.attempt + 1;
    return [
      ChargeRetryRequested({ ...identity(state.request), attempt, payment_method_id }),
      attemptStarted(state.request, attempt, method),
    ];
  },
  reply: (state) => ({ charge_id: state!.request.charge_id, status: state!.status, attempt: state!.attempt }),
  status: 202,
});
