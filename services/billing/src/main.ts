import { service } from "@tributary/runtime/service";
import { removePaymentMethod } from "./commands/remove-payment-method.ts";
import { retryChargeByHand } from "./commands/retry-charge.ts";
import { setDefaultPaymentMethod } from "./commands/set-default-payment-method.ts";
import { setPayoutDestination } from "./commands/set-payout-destination.ts";
import { writeOffCharge } from "./commands/write-off-charge.ts";
import { attemptCharge } from "./effects/attempt-charge.ts";
import { heedPaypal } from "./effects/heed-paypal.ts";
import { heedStripe } from "./effects/heed-stripe.ts";
import { submitPayout } from "./effects/submit-payout.ts";
import { calendar } from "./facts/calendar.ts";
import { completeness } from "./facts/completeness.ts";
import { daysBegun } from "./facts/days-begun.ts";
import { methodOwners } from "./facts/method-owners.ts";
import { partnershipEnds } from "./facts/partnership-ends.ts";
import { roster } from "./facts/roster.ts";
import { beginCloses } from "./jobs/begin-closes.ts";
import { chargeMonth } from "./jobs/charge-month.ts";
import { closeMonth } from "./jobs/close-month.ts";
import { lookUpCharge } from "./jobs/look-up-charge.ts";
import { pollPayout } from "./jobs/poll-payout.ts";
import { retryCharge } from "./jobs/retry-charge.ts";
import { sweepStripe } from "./jobs/sweep-stripe.ts";
import { totalMonth } from "./jobs/total-month.ts";
import { bookEarning } from "./reactions/book-earning.ts";
import { openMonth } from "./reactions/open-month.ts";
import { queuePayouts } from "./reactions/queue-payouts.ts";
import { charges } from "./read-models/charges.ts";
import { cycles } from "./read-models/cycles.ts";
import { earningEntries } from "./read-models/earning-entries.ts";
import { ledger } from "./read-models/ledger.ts";
import { wallets } from "./read-models/payment-methods.ts";
import { destinations } from "./read-models/payout-destinations.ts";
import { payouts } from "./read-models/payouts.ts";
import { statements } from "./read-models/statements.ts";
import { addPaymentMethod, startSetup } from "./routes/add-payment-method.ts";
import { authenticateCharge } from "./routes/authenticate-charge.ts";
import { listCycles, showCycle } from "./routes/cycles.ts";
import { showEarnings } from "./routes/earnings.ts";
import { explainCharge, explainPayout, explainStatement } from "./routes/explain.ts";
import { onboardCreator } from "./routes/onboard-creator.ts";
import { showReconciliation } from "./routes/reconciliation.ts";
import { resendPayout } from "./routes/resend-payout.ts";
import { showResult } from "./routes/result.ts";
import { listStatements } from "./routes/statements.ts";
import { verifyPaymentMethod } from "./routes/verify-payment-method.ts";
import { paypalWebhook, stripeConnectWebhook, stripeWebhook } from "./routes/webhooks.ts";
import { closing, paypalAccess, publicly, stripeAccess } from "./settings.ts";

/** Billing: books what was earned, closes the months, charges brands and pays creators. */
export const billing = service({
  name: "billing",
  settings: [closing, publicly, stripeAccess, paypalAccess],
  commands: [
    setPayoutDestination,
    setDefaultPaymentMethod,
    removePaymentMethod,
    retryChargeByHand,
    writeOffCharge,
  ],
  routes: [
    ...[startSetup, addPaymentMethod, verifyPaymentMethod, onboardCreator, authenticateCharge, resendPayout],
    ...[listCycles, showCycle, showEarnings, listStatements, showResult, showReconciliation],
    ...[explainPayout, explainCharge, explainStatement],
    ...[stripeWebhook, stripeConnectWebhook, paypalWebhook],
  ],
  readModels: [statements, charges, payouts, cycles, earningEntries, wallets, destinations, ledger],
  facts: [calendar, roster, completeness, daysBegun, partnershipEnds, methodOwners],
  reactions: [openMonth, bookEarning, queuePayouts],
  effects: [attemptCharge, submitPayout, heedStripe, heedPaypal],
  jobs: [
    beginCloses,
    closeMonth,
    totalMonth,
    chargeMonth,
    retryCharge,
    lookUpCharge,
    pollPayout,
    sweepStripe,
  ],
});
