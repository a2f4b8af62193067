import { createCipheriv, createDecipheriv } from "node:crypto";
import type { Random } from "@tributary/runtime/ports/random";

interface TokenKey {
  readonly id: string;
  readonly bytes: Buffer;
}

/** Reads `base64` or `id:base64,id:base64`; null when a key is not 32 bytes. */
export function parseTokenKeys(text: string): readonly TokenKey[] | null {
  const keys = text.split(",").map((part, index) => {
    const [id, encoded] = part.includes(":")
      ? (part.trim().split(":") as [string, string])
      : [`${index}`, part];
    return { id, bytes: Buffer.from(encoded.trim(), "base64") };
  });
  return keys.every(({ id, bytes }) => /^[\w-]+$/.test(id) && bytes.length === 32) ? keys : null;
}

/** Seals secrets at rest. */
export interface TokenCipher {
  seal(secret: string, context: string): string;
  /** Throws when the text was sealed for another context, with a key that is gone, or was changed. */
  open(sealed: string, context: string): string;
}

/**
 * AES-256-GCM. The context (table, id and column) is authenticated with it, so that a sealed text moved to another row
 * doesn't open; the key's id stands before it, so that keys can be rotated.
 */
export function tokenCipher(setting: string, random: Random): TokenCipher {
  const keys = parseTokenKeys(setting);
  const sealing = keys?.[0];
  if (!keys || !sealing) throw new Error("TOKEN_KEY must be 32 bytes in base64");
  return {
    seal(secret, context) {
      const iv = random.bytes(12);
      const cipher = createCipheriv("aes-256-gcm", sealing.bytes, iv).setAAD(Buffer.from(context));
      const text = Buffer.concat([cipher.update(secret, "utf8"), cipher.final()]);
      return [sealing.id, ...[iv, cipher.getAuthTag(), text].map((part) => part.toString("base64url"))].join(
        ".",
      );
    },
    open(sealed, context) {
      const [id, iv, tag, text] = sealed.split(".");
      const key = keys.find((one) => one.id === id);
      if (!key || !iv || !tag || text === undefined) throw new Error(`no key ${id} opens ${context}`);
      const decipher = createDecipheriv("aes-256-gcm", key.bytes, Buffer.from(iv, "base64url"))
        .setAAD(Buffer.from(context))
        .setAuthTag(Buffer.from(tag, "base64url"));
      return Buffer.concat([decipher.update(Buffer.from(text, "base64url")), decipher.final()]).toString(
        "utf8",
      );
    },
  };
}
