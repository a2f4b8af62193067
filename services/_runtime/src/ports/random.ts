import { randomBytes, randomUUID } from "node:crypto";

/** Where ids, codes and secrets come from. */
export interface Random {
  /** A fresh id, for things without a natural key. */
  id(): string;
  /** So many letters and digits, evenly drawn; for link ids, page ids and referral codes. */
  code(length: number): string;
  /** So many bytes fit for a secret. */
  bytes(length: number): Buffer;
}

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** Draws from the operating system. */
export const systemRandom: Random = {
  id: () => randomUUID(),
  bytes: (length) => randomBytes(length),
  code(length) {
    let code = "";
    while (code.length < length) {
      for (const byte of randomBytes(length * 2)) {
        if (byte < 248 && code.length < length) code += ALPHABET[byte % 62];
      }
    }
    return code;
  },
};
