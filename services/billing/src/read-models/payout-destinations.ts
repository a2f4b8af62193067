import {
  PayoutAccountOpened,
  PayoutAccountUpdated,
  PayoutDestinationSet,
} from "@tributary/contracts/events/billing";
import { PayoutDestinationView } from "@tributary/contracts/http/billing";
import { readModel, show } from "@tributary/runtime/read-models/read-model";
import { when } from "@tributary/runtime/stream";

/** A creator who has said nothing yet. */
export const nowhere = (creator_id: string): PayoutDestinationView => ({
  creator_id,
  preferred_method: "none",
  paypal_email: null,
  venmo_handle: null,
  stripe_account_id: null,
  onboarding_status: "not_started",
  payouts_enabled: false,
  currently_due: [],
});

/** Where each creator is paid. */
export const destinations = readModel("payout-destinations", PayoutDestinationView, {
  on: [
    when(PayoutDestinationSet, (known, { data }) => ({
      ...(known ?? nowhere(data.creator_id)),
      preferred_method: data.preferred_method,
      paypal_email: data.paypal_email ?? known?.paypal_email ?? null,
      venmo_handle: data.venmo_handle ?? known?.venmo_handle ?? null,
    })),
    when(PayoutAccountOpened, (known, { data: { creator_id, stripe_account_id } }) => ({
      ...(known ?? nowhere(creator_id)),
      stripe_account_id,
      onboarding_status: "incomplete",
    })),
    when(PayoutAccountUpdated, (known, { data }) => ({ ...(known ?? nowhere(data.creator_id)), ...data })),
  ],
  key: ({ data: { creator_id } }) => creator_id,
  indexes: [["creator_id"]],
  routes: {
    "GET /api/creator-payment-methods/me": show<PayoutDestinationView>()({
      access: { as: "creator", owns: "creator_id" },
      answer: async (documents, _, { caller }) => (await documents.all(1))[0] ?? nowhere(caller!.creator_id!),
    }),
  },
});
