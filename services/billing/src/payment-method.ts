import type { DataOf } from "@tributary/contracts/event";
import {
  PaymentCustomerOpened,
  PaymentMethodAdded,
  PaymentMethodBackupSet,
  PaymentMethodBlocked,
  PaymentMethodDefaultSet,
  PaymentMethodRemoved,
  PaymentMethodVerificationFailed,
  PaymentMethodVerified,
} from "@tributary/contracts/events/billing";
import { stream, when } from "@tributary/runtime/stream";

/** A method and, when it can't be charged, why. */
export type PaymentMethod = DataOf<typeof PaymentMethodAdded> & { readonly reason: string | null };

export interface Wallet {
  readonly stripe_customer_id: string | null;
  readonly methods: readonly PaymentMethod[];
  readonly default_id: string | null;
  /** Marked as backups, at most one of each type. */
  readonly backup_ids: readonly string[];
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
  { stripe_customer_id: null, methods: [], default_id: null, backup_ids: [] } as Wallet,
  [
    when(PaymentCustomerOpened, (state, { data: { stripe_customer_id } }) => ({
      ...state,
      stripe_customer_id,
    })),
    when(PaymentMethodAdded, (state, { data }) => {
      const method = { ...data, reason: null };
      const known = state.methods.some((held) => held.payment_method_id === data.payment_method_id);
      if (known) return changed(state, data.payment_method_id, method);
      return { ...state, methods: [...state.methods, method] };
    }),
    when(PaymentMethodVerified, (state, { data: { payment_method_id, mandate_id } }) =>
      changed(state, payment_method_id, { verification_status: "verified", mandate_id, reason: null }),
    ),
    when(PaymentMethodVerificationFailed, (state, { data: { payment_method_id, reason } }) =>
      changed(state, payment_method_id, { verification_status: "failed", reason }),
    ),
    when(PaymentMethodBlocked, (state, { data: { payment_method_id, reason } }) =>
      changed(state, payment_method_id, { verification_status: "failed", reason }),
    ),
    when(PaymentMethodDefaultSet, (state, { data: { payment_method_id } }) => ({
      ...state,
      default_id: payment_method_id,
    })),
    when(PaymentMethodBackupSet, (state, { data: { payment_method_id, pm_type, is_default_for_type } }) => {
      const replaced = state.methods
        .filter((method) => method.pm_type === pm_type || method.payment_method_id === payment_method_id)
        .map((method) => method.payment_method_id);
      const kept = state.backup_ids.filter((id) => !replaced.includes(id));
      return { ...state, backup_ids: is_default_for_type ? [...kept, payment_method_id] : kept };
    }),
    when(PaymentMethodRemoved, (state, { data: { payment_method_id } }) => ({
      ...state,
      methods: state.methods.filter((method) => method.payment_method_id !== payment_method_id),
      default_id: state.default_id === payment_method_id ? null : state.default_id,
      backup_ids: state.backup_ids.filter((id) => id !== payment_method_id),
    })),
  ],
);

/** The method that is charged now: the default once it is verified, else the first that is; null when there is none. */
export function chargeable({ methods, default_id }: Wallet): PaymentMethod | null {
  const verified = methods.filter(({ verification_status }) => verification_status === "verified");
  return verified.find(({ payment_method_id }) => payment_method_id === default_id) ?? verified[0] ?? null;
}

/** The method of the n-th attempt of the schedule: from the second on a backup, if the brand has named one (money rules, 6.13). */
export function methodOf(attempt: number, wallet: Wallet): PaymentMethod | null {
  const first = chargeable(wallet);
  if (attempt === 1) return first;
  const backup = wallet.methods.find(
    ({ payment_method_id, verification_status }) =>
      verification_status === "verified" &&
      payment_method_id !== first?.payment_method_id &&
      wallet.backup_ids.includes(payment_method_id),
  );
  return backup ?? first;
}
