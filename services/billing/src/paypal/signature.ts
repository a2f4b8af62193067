import { createVerify } from "node:crypto";
import { crc32 } from "node:zlib";

type Headers = Readonly<Record<string, string | undefined>>;

/**
 * The address of the certificate a webhook names, if it may be asked: of an allowed host, over TLS (or on this very
 * machine). Null for everything else, for whoever names a certificate of their own could sign anything.
 */
export function certificateAddress(named: string | undefined, hosts: readonly string[]): URL | null {
  if (!named || !URL.canParse(named)) return null;
  const url = new URL(named);
  const local = url.hostname === "127.0.0.1" || url.hostname === "localhost";
  return hosts.includes(url.host) && (url.protocol === "https:" || local) ? url : null;
}

/** Whether the certificate's owner signed this body for this endpoint (partners: id|time|webhook|crc32, RSA-SHA256). */
export function signedBy(certificate: string, raw: Buffer, headers: Headers, webhook_id: string): boolean {
  const id = headers["paypal-transmission-id"];
  const time = headers["paypal-transmission-time"];
  const signature = headers["paypal-transmission-sig"];
  if (!id || !time || !signature || headers["paypal-auth-algo"] !== "SHA256withRSA") return false;
  return createVerify("RSA-SHA256")
    .update(`${id}|${time}|${webhook_id}|${crc32(raw)}`)
    .verify(certificate, signature, "base64");
}
