import type { Month } from "@tributary/contracts/dates";
import { cycleId, statementId } from "@tributary/contracts/ids";
import { v5 } from "uuid";

/** Root of the ids of payment methods; it never changes. */
const METHODS = "0b7e5d2a-93f4-5c1e-8a6d-2f40c9b1e7a3";

/** One destination charge per statement. */
export const creatorChargeId = (month: Month, brand_id: string, creator_id: string): string =>
  v5("charge", statementId(month, brand_id, creator_id));

/** One charge per month and brand for all that PayPal and Venmo pay. */
export const platformChargeId = (month: Month, brand_id: string): string =>
  v5(`platform charge of ${brand_id}`, cycleId(month));

/** One payout per statement. */
export const payoutId = (month: Month, brand_id: string, creator_id: string): string =>
  v5("payout", statementId(month, brand_id, creator_id));

/** One entry per method the partner knows. */
export const paymentMethodId = (brand_id: string, stripe_payment_method_id: string): string =>
  v5(JSON.stringify([brand_id, stripe_payment_method_id]), METHODS);
