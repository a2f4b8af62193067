import { PayoutAccountOpened, PayoutDestinationSet } from "@tributary/contracts/events/billing";
import { to } from "@tributary/runtime/decision";
import { type Asking, route } from "@tributary/runtime/route";
import { payoutDestination } from "../payout-destination.ts";
import { recordAccount } from "../record-account.ts";
import { publicly } from "../settings.ts";
import { stripePartner } from "../stripe/client.ts";

/** The creator's account with Stripe, opened on first asking. Who has chosen nothing yet has chosen Stripe by it. */
async function accountOf(creator_id: string, asking: Asking): Promise<string> {
  const { of } = await asking.read({ of: payoutDestination.at(creator_id) });
  if (of.account) return of.account.stripe_account_id;
  const stripe_account_id = await asking.use(stripePartner).openAccount(creator_id);
  await asking.act({ of: payoutDestination.at(creator_id) }, ({ of }) => {
    if (of.account) return [];
    const opened = PayoutAccountOpened({ creator_id, stripe_account_id });
    const chosen = {
      creator_id,
      preferred_method: "stripe" as const,
      paypal_email: null,
      venmo_handle: null,
    };
    const events = of.chosen.length === 0 ? [opened, PayoutDestinationSet(chosen)] : [opened];
    return [to(payoutDestination.at(creator_id), ...events)];
  });
  return stripe_account_id;
}

/** Sends the creator to Stripe to say who they are; Stripe is asked first what it knows already. */
export const onboardCreator = route("POST /api/creator-payment-methods/stripe-onboarding", {
  access: { as: "creator" },
  handle: async (_, asking) => {
    const creator_id = asking.caller!.creator_id!;
    const stripe = asking.use(stripePartner);
    const id = await accountOf(creator_id, asking);
    const account = await stripe.account(id);
    await recordAccount(account, creator_id, asking);
    const { onboarding_status } = account;
    if (onboarding_status === "complete") return { url: null, onboarding_status };
    const page = `${asking.use(publicly).PUBLIC_URL}/dashboard/creator-payment-settings`;
    const url = await stripe.onboardingUrl(id, {
      return_url: `${page}?stripe=return`,
      refresh_url: `${page}?stripe=refresh`,
    });
    return { url, onboarding_status };
  },
});
