import {
  PayoutAccountOpened,
  PayoutAccountUpdated,
  PayoutDestinationSet,
  type Rail,
} from "@tributary/contracts/events/billing";
import { stream, when } from "@tributary/runtime/stream";

interface Destination {
  /** Every choice of the creator and when it was made, for a close pays by the one of its own moment. */
  readonly chosen: readonly { at: string; rail: Rail }[];
  /** Kept when another method is chosen: what was charged for PayPal is still paid there. */
  readonly paypal_email: string | null;
  readonly venmo_handle: string | null;
  readonly account: {
    stripe_account_id: string;
    payouts_enabled: boolean;
    onboarding_status: string;
    currently_due: readonly string[];
  } | null;
}

/** Where a creator is paid. */
export const payoutDestination = stream(
  "payout-destination",
  { chosen: [], paypal_email: null, venmo_handle: null, account: null } as Destination,
  [
    when(PayoutDestinationSet, (state, { data, time }) => ({
      ...state,
      chosen: [...state.chosen, { at: time, rail: data.preferred_method }],
      paypal_email: data.paypal_email ?? state.paypal_email,
      venmo_handle: data.venmo_handle ?? state.venmo_handle,
    })),
    when(PayoutAccountOpened, (state, { data: { stripe_account_id } }) => ({
      ...state,
      account: {
        stripe_account_id,
        payouts_enabled: false,
        onboarding_status: "incomplete",
        currently_due: [],
      },
    })),
    when(PayoutAccountUpdated, (state, { data: { creator_id: _, ...account } }) => ({ ...state, account })),
  ],
);

/** The rail chosen at a moment, as far as it can be used; `none` otherwise. */
export function railAt(of: Destination, moment: string): Rail {
  const rail = of.chosen.findLast(({ at }) => at <= moment)?.rail ?? "none";
  const usable = {
    stripe: of.account?.payouts_enabled === true,
    paypal: of.paypal_email !== null,
    venmo: of.venmo_handle !== null,
    none: false,
  };
  return usable[rail] ? rail : "none";
}

/** Where PayPal is to send something now: by the creator's choice if it is one of PayPal's, else by the way it was charged for. */
export function receiverOf(of: Destination, charged: Rail): { rail: Rail; receiver: string | null } {
  const chosen = of.chosen.at(-1)?.rail;
  const rail = chosen === "paypal" || chosen === "venmo" ? chosen : charged;
  return { rail, receiver: rail === "venmo" ? of.venmo_handle : of.paypal_email };
}
