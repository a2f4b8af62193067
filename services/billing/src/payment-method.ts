import type { DataOf } from "@tributary/contracts/event";
import {
  PaymentCustomerOpened,
  PaymentMethodAdded,
  PaymentMethodDefaultSet,
  PaymentMethodRemoved,
  PaymentMethodVerificationFailed,
  PaymentMethodVerified,
} from "@tributary/contracts/events/billing";
import { stream, when } from "@tributary/runtime/stream";

export type PaymentMethod = DataOf<typeof PaymentMethodAdded>;

interface Wallet {
  readonly stripe_customer_id: string | null;
  readonly methods: readonly PaymentMethod[];
  readonly default_id: string | null;
}

const changed = (state: Wallet, id: string, change: Partial<PaymentMethod>): Wallet => ({
  ...state,
  methods: state.methods.map((method) =>
    method.payment_method_id === id ? { ...method, ...change } : method,
  ),
});

/** How a brand pays. */
export const paymentMethods = stream(
  "payment-method",
  { stripe_customer_id: null, methods: [], default_id: null } as Wallet,
  [
    when(PaymentCustomerOpened, (state, { data: { stripe_customer_id } }) => ({
      ...state,
      stripe_customer_id,
    })),
    when(PaymentMethodAdded, (state, { data }) => ({ ...state, methods: [...state.methods, data] })),
    when(PaymentMethodVerified, (state, { data: { payment_method_id, mandate_id } }) =>
      changed(state, payment_method_id, { verification_status: "verified", mandate_id }),
    ),
    when(PaymentMethodVerificationFailed, (state, { data: { payment_method_id } }) =>
      changed(state, payment_method_id, { verification_status: "failed" }),
    ),
    when(PaymentMethodDefaultSet, (state, { data: { payment_method_id } }) => ({
      ...state,
      default_id: payment_method_id,
    })),
    when(PaymentMethodRemoved, (state, { data: { payment_method_id } }) => ({
      ...state,
      methods: state.methods.filter((method) => method.payment_method_id !== payment_method_id),
      default_id: state.default_id === payment_method_id ? null : state.default_id,
    })),
  ],
);

/** The method that is charged now: the default once it is verified, else the first that is; null when there is none. */
export function chargeable({ methods, default_id }: Wallet): PaymentMethod | null {
  const verified = methods.filter(({ verification_status }) => verification_status === "verified");
  return verified.find(({ payment_method_id }) => payment_method_id === default_id) ?? verified[0] ?? null;
}
