import type { GrossUp } from "@tributary/contracts/events/billing";
import { asCents, type Cents } from "@tributary/contracts/money";

export type PaymentType = "card" | "us_bank_account";

const halfUp = (amount: bigint, perMille: bigint): bigint => (amount * perMille + 500n) / 1000n;

/** What the card network (2.9 % and 30 cents) or the bank (0.8 %, 5 dollars at most) is expected to take. */
export function processingFee(gross: Cents, by: PaymentType): Cents {
  if (by === "card") return asCents(halfUp(gross, 29n) + 30n);
  const fee = halfUp(gross, 8n);
  return asCents(fee < 500n ? fee : 500n);
}

/**
 * What the brand's method is charged so that `net` is left after processing: the smallest such number of cents, found by
 * search, for the closed form is a cent too high for half of all amounts (scenario rules, 8). A cent more gross never
 * leaves less, so halving the range finds it.
 */
export function grossUp(net: Cents, by: PaymentType, policy: GrossUp): Cents {
  if (policy === "none" || (policy === "card" && by !== "card")) return net;
  let low: bigint = net;
  let high: bigint = net * 2n + 100n;
  while (low < high) {
    const middle = (low + high) / 2n;
    if (middle - processingFee(asCents(middle), by) >= net) high = middle;
    else low = middle + 1n;
  }
  return asCents(low);
}
