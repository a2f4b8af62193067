import { createSign, createVerify, X509Certificate } from "node:crypto";
import { crc32 } from "node:zlib";
import type { Context, Delivery } from "../core/partner.ts";
import { certificateOf } from "./certificate.ts";
import type { Certificate } from "./objects.ts";
import type { Change, State } from "./state.ts";

/** The one way the played PayPal signs. */
export const ALGORITHM = "SHA256withRSA";

/** Base64 may begin with a sign that PayPal's own document does not allow in a signature. */
const ACCEPTABLE = /^(?!\d+$)\w+\S+/;

interface Signed {
  transmission_id: string;
  transmission_time: string;
  webhook_id: string;
  body: string;
}

function statement({ transmission_id, transmission_time, webhook_id, body }: Signed): string {
  return `${transmission_id}|${transmission_time}|${webhook_id}|${crc32(body)}`;
}

/** Where a certificate can be fetched. */
export function certificateUrl(origin: string, { id }: Certificate): string {
  return `${origin}/paypal/certs/${id}.pem`;
}

/** The five headers by which PayPal proves a webhook: RSA over transmission, webhook and the body's checksum. */
export async function signatureHeaders(
  { body, now, endpoint }: Delivery,
  ctx: Context<State, Change>,
): Promise<Record<string, string>> {
  const certificate = await certificateOf(ctx);
  const transmission_time = `${now.toISOString().slice(0, 19)}Z`;
  for (;;) {
    const transmission_id = [8, 4, 4, 4, 12].map((length) => ctx.id("", length).toLowerCase()).join("-");
    const text = statement({
      transmission_id,
      transmission_time,
      webhook_id: endpoint.webhook_id ?? "",
      body,
    });
    const signature = createSign("RSA-SHA256").update(text).sign(certificate.key, "base64");
    if (!ACCEPTABLE.test(signature) || !ACCEPTABLE.test(transmission_id)) continue;
    return {
      "paypal-auth-algo": ALGORITHM,
      "paypal-cert-url": certificateUrl(ctx.origin(), certificate),
      "paypal-transmission-id": transmission_id,
      "paypal-transmission-sig": signature,
      "paypal-transmission-time": transmission_time,
      "user-agent": "PayPal/AUHD-214.0",
    };
  }
}

/** Whether the signature was made by this sandbox for exactly this text. */
export function isGenuine(
  signed: Signed & { transmission_sig: string },
  { certificate }: Certificate,
): boolean {
  const key = new X509Certificate(certificate).publicKey;
  return createVerify("RSA-SHA256").update(statement(signed)).verify(key, signed.transmission_sig, "base64");
}
