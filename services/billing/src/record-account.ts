import { PayoutAccountUpdated } from "@tributary/contracts/events/billing";
import type { Acting } from "@tributary/runtime/acting";
import { to } from "@tributary/runtime/decision";
import { payoutDestination } from "./payout-destination.ts";
import type { KnownAccount } from "./stripe/partner.ts";

/** Writes down what Stripe says of a creator's account now, if it is their account and says something new. */
export async function recordAccount(
  account: KnownAccount,
  creator_id: string,
  acting: Acting,
): Promise<"settled" | "nothing_new"> {
  const { stripe_account_id, onboarding_status, payouts_enabled, currently_due } = account;
  let moved: "settled" | "nothing_new" = "nothing_new";
  await acting.act({ of: payoutDestination.at(creator_id) }, ({ of }) => {
    moved = "nothing_new";
    const known = of.account;
    if (known?.stripe_account_id !== stripe_account_id) return [];
    const same =
      known.payouts_enabled === payouts_enabled &&
      known.onboarding_status === onboarding_status &&
      known.currently_due.join() === currently_due.join();
    if (same) return [];
    moved = "settled";
    const updated = { creator_id, stripe_account_id, onboarding_status, payouts_enabled, currently_due };
    return [to(payoutDestination.at(creator_id), PayoutAccountUpdated(updated))];
  });
  return moved;
}
