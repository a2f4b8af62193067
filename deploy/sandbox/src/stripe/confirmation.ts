import type { mandateData } from "./mandates.ts";

/** How a payment is confirmed: with the customer away or present, and under which agreement. */
export interface Confirmation {
  off_session: boolean;
  return_url?: string | undefined;
  mandate?: string | undefined;
  mandate_data?: ReturnType<typeof mandateData.parse> | undefined;
}
