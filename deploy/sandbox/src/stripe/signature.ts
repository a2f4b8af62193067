import { createHmac } from "node:crypto";

/** The header by which Stripe proves a webhook: HMAC-SHA256 over the moment and the exact body, under the endpoint's secret. */
export function signatureHeader(body: string, now: Date, secret: string): string {
  const t = Math.floor(now.getTime() / 1000);
  const v1 = createHmac("sha256", secret).update(`${t}.${body}`).digest("hex");
  return `t=${t},v1=${v1}`;
}
