import { accountLinks } from "./account-links.ts";
import { accounts } from "./accounts.ts";
import { applicationFees } from "./application-fees.ts";
import { balanceTransactions } from "./balance.ts";
import { charges } from "./charges.ts";
import { customers } from "./customers.ts";
import { disputes } from "./disputes.ts";
import { events } from "./events.ts";
import { mandates } from "./mandates.ts";
import { paymentIntents } from "./payment-intents.ts";
import { paymentMethods } from "./payment-methods.ts";
import { payouts } from "./payouts.ts";
import { refunds } from "./refunds.ts";
import type { Route } from "./route.ts";
import { setupIntents } from "./setup-intents.ts";
import { transfers } from "./transfers.ts";
import { webhookEndpoints } from "./webhook-endpoints.ts";

/** Every address of Stripe's API that the sandbox plays. */
export const routes: Route[] = [
  ...customers,
  ...paymentMethods,
  ...setupIntents,
  ...mandates,
  ...paymentIntents,
  ...charges,
  ...balanceTransactions,
  ...refunds,
  ...disputes,
  ...transfers,
  ...applicationFees,
  ...accounts,
  ...accountLinks,
  ...payouts,
  ...events,
  ...webhookEndpoints,
];
