import { createSign, generateKeyPairSync } from "node:crypto";
import { crc32 } from "node:zlib";
import { expect, test } from "vitest";
import { certificateAddress, signedBy } from "../src/paypal/signature.ts";

const hosts = ["api.paypal.com", "127.0.0.1:4100"];

test.each([
  ["https://api.paypal.com/v1/notifications/certs/CERT-1", true],
  ["http://127.0.0.1:4100/paypal/certs/1", true],
  ["http://api.paypal.com/v1/notifications/certs/CERT-1", false],
  ["https://api.paypal.com.thief.test/cert", false],
  ["https://thief.test/?api.paypal.com", false],
  ["https://api.paypal.com@thief.test/cert", false],
  ["http://127.0.0.1:4101/cert", false],
  ["no address", false],
])("the certificate at %s may be asked for: %s", (named, allowed) => {
  expect(certificateAddress(named, hosts) !== null).toBe(allowed);
});

const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const pem = publicKey.export({ type: "spki", format: "pem" }) as string;
const raw = Buffer.from('{"id":"WH-1","summary":"höchst byte-genau"}');
const headers = {
  "paypal-transmission-id": "t-1",
  "paypal-transmission-time": "2026-02-03T08:05:00Z",
  "paypal-auth-algo": "SHA256withRSA",
  "paypal-transmission-sig": createSign("RSA-SHA256")
    .update(`t-1|2026-02-03T08:05:00Z|WH-ours|${crc32(raw)}`)
    .sign(privateKey, "base64"),
};

test("a webhook is PayPal's when body, endpoint, id and time are the signed ones", () => {
  expect(signedBy(pem, raw, headers, "WH-ours")).toBe(true);
  expect(signedBy(pem, Buffer.from(raw.toString().replace("WH-1", "WH-2")), headers, "WH-ours")).toBe(false);
  expect(signedBy(pem, raw, headers, "WH-theirs")).toBe(false);
  expect(signedBy(pem, raw, { ...headers, "paypal-transmission-id": "t-2" }, "WH-ours")).toBe(false);
  expect(signedBy(pem, raw, { ...headers, "paypal-auth-algo": "none" }, "WH-ours")).toBe(false);
  expect(signedBy(pem, raw, { ...headers, "paypal-transmission-sig": undefined }, "WH-ours")).toBe(false);
});
