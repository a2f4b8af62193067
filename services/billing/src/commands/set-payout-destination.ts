import { PayoutDestinationSet } from "@tributary/contracts/events/billing";
import { SetPayoutDestination } from "@tributary/contracts/http/billing";
import { command } from "@tributary/runtime/command";
import { unprocessable } from "@tributary/runtime/refusal";
import { payoutDestination } from "../payout-destination.ts";

const missing = (field: string, message: string) =>
  unprocessable("destination_incomplete", message, [{ field, message }]);

/** A creator says how to be paid from the next close on; what has been closed is paid as it was. */
export const setPayoutDestination = command({
  route: "PUT /api/creator-payment-destinations/me",
  access: { as: "creator" },
  input: SetPayoutDestination,
  stream: payoutDestination,
  id: (_, caller) => caller.creator_id!,
  decide: (input, known, _, { caller }) => {
    const paypal_email = input.paypal_email ?? known.paypal_email;
    const venmo_handle = input.venmo_handle?.replace(/^@/, "") ?? known.venmo_handle;
    const { preferred_method } = input;
    if (preferred_method === "paypal" && !paypal_email)
      throw missing("paypal_email", "Tell us the e-mail address of your PayPal account");
    if (preferred_method === "venmo" && !venmo_handle)
      throw missing("venmo_handle", "Tell us your Venmo name");
    if (preferred_method === "stripe" && !known.account)
      throw missing("preferred_method", "Set up your Stripe account first");
    const same =
      known.chosen.at(-1)?.rail === preferred_method &&
      known.paypal_email === paypal_email &&
      known.venmo_handle === venmo_handle;
    if (same) return [];
    const creator_id = caller!.creator_id!;
    return [PayoutDestinationSet({ creator_id, preferred_method, paypal_email, venmo_handle })];
  },
  reply: ({ chosen, paypal_email, venmo_handle, account }) => ({
    preferred_method: chosen.at(-1)?.rail ?? "none",
    ...{ paypal_email, venmo_handle },
    stripe_account_id: account?.stripe_account_id ?? null,
    onboarding_status: account?.onboarding_status ?? "not_started",
    payouts_enabled: account?.payouts_enabled ?? false,
    currently_due: account?.currently_due ?? [],
  }),
});
