import { createHash } from "node:crypto";

const LETTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** The n-th draw of one partner: the same seed, partner and number always give the same bytes. */
function bytes(seed: number, name: string, draw: number): Buffer {
  return createHash("sha512").update(`${seed}:${name}:${draw}`).digest();
}

/** A number in [0, 1). */
export function drawNumber(seed: number, name: string, draw: number): number {
  return bytes(seed, name, draw).readUIntBE(0, 6) / 2 ** 48;
}

/** Letters and digits, up to 64 of them. */
export function drawLetters(seed: number, name: string, draw: number, length: number): string {
  if (length > 64) throw new Error(`An id of ${length} letters is more than one draw gives`);
  return Array.from(
    bytes(seed, name, draw).subarray(0, length),
    (byte) => LETTERS[byte % LETTERS.length],
  ).join("");
}
