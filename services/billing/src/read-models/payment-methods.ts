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
import { PaymentMethodView } from "@tributary/contracts/http/billing";
import { readModel, show } from "@tributary/runtime/read-models/read-model";
import { when } from "@tributary/runtime/stream";
import { z } from "zod";

const Wallet = z.object({ brand_id: z.string(), items: z.array(PaymentMethodView) });
type Wallet = z.infer<typeof Wallet>;
type Status = PaymentMethodView["verification_status"];

const marked = (
  wallet: Wallet | null,
  id: string,
  verification_status: Status,
  reason: string | null = null,
): Wallet | null =>
  wallet && {
    ...wallet,
    items: wallet.items.map((item) =>
      item.payment_method_id === id ? { ...item, verification_status, reason } : item,
    ),
  };

/** How each brand pays. */
export const wallets = readModel("payment-methods", Wallet, {
  on: [
    when(PaymentCustomerOpened, (wallet, { data: { brand_id } }) => wallet ?? { brand_id, items: [] }),
    when(PaymentMethodAdded, (wallet, { data }) => {
      const { stripe_customer_id, ach_fingerprint, setup_intent_id, mandate_id, brand_id, ...method } = data;
      const items = wallet?.items ?? [];
      const held = items.find(({ payment_method_id }) => payment_method_id === method.payment_method_id);
      const renewed = { is_default: false, is_default_for_type: false, ...held, ...method, reason: null };
      return {
        brand_id,
        items: held ? items.map((item) => (item === held ? renewed : item)) : [...items, renewed],
      };
    }),
    when(PaymentMethodVerified, (wallet, { data }) => marked(wallet, data.payment_method_id, "verified")),
    when(PaymentMethodVerificationFailed, (wallet, { data }) =>
      marked(wallet, data.payment_method_id, "failed", data.reason),
    ),
    when(PaymentMethodBlocked, (wallet, { data }) =>
      marked(wallet, data.payment_method_id, "failed", data.reason),
    ),
    when(
      PaymentMethodDefaultSet,
      (wallet, { data }) =>
        wallet && {
          ...wallet,
          items: wallet.items.map((item) => ({
            ...item,
            is_default: item.payment_method_id === data.payment_method_id,
          })),
        },
    ),
    when(
      PaymentMethodBackupSet,
      (wallet, { data: { payment_method_id, pm_type, is_default_for_type } }) =>
        wallet && {
          ...wallet,
          items: wallet.items.map((item) => {
            if (item.payment_method_id === payment_method_id) return { ...item, is_default_for_type };
            return item.pm_type === pm_type ? { ...item, is_default_for_type: false } : item;
          }),
        },
    ),
    when(
      PaymentMethodRemoved,
      (wallet, { data }) =>
        wallet && {
          ...wallet,
          items: wallet.items.filter((item) => item.payment_method_id !== data.payment_method_id),
        },
    ),
  ],
  key: ({ data: { brand_id } }) => brand_id,
  indexes: [["brand_id"]],
  routes: {
    "GET /api/payment-methods": show<Wallet>()({
      access: { as: "brand", owns: "brand_id" },
      answer: async (documents) => ({ items: (await documents.all(1))[0]?.items ?? [] }),
    }),
  },
});
