/** Rounds `amount × perMille / 1000` half up to whole cents: how Stripe's percentage fees are rounded. */
function perMille(amount: bigint, rate: bigint): bigint {
  return (amount * rate + 500n) / 1000n;
}

/** What Stripe keeps of a US card payment, in cents: 2.9 % rounded half up, plus 30. */
export function cardFee(amount: bigint): bigint {
  return perMille(amount, 29n) + 30n;
}

/** What Stripe keeps of an ACH debit, in cents: 0.8 % rounded half up, never more than 500. */
export function achFee(amount: bigint): bigint {
  const fee = perMille(amount, 8n);
  return fee < 500n ? fee : 500n;
}
