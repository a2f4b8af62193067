import { createHash } from "node:crypto";
import { invalid, StripeError } from "./errors.ts";
import { isKept, type KeptAnswer } from "./state.ts";

/** What a key is bound to: the address and every parameter of the request that first used it. */
export function fingerprintOf(path: string, body: string): string {
  return createHash("sha256").update(`${path}\n${body}`).digest("hex");
}

/** The key of a request, or null when it carries none. */
export function keyOf(header: string | string[] | undefined): string | null {
  if (header === undefined) return null;
  const key = Array.isArray(header) ? header.join(", ") : header;
  if (key === "" || key.length > 255)
    throw invalid(`Idempotency-Key must be 1 to 255 characters long, not ${key.length}.`);
  return key;
}

function idempotencyError(status: 400 | 409, message: string, code?: string): StripeError {
  const type = "idempotency_error";
  return new StripeError(status, { type, message, ...(code ? { code } : {}) });
}

/**
 * The answer kept for a key, null when the key is new or older than 24 hours. Another request under the same key is
 * refused: keys stand for one request.
 */
export function keptFor(
  kept: KeptAnswer | undefined,
  asked: { path: string; fingerprint: string; now: Date },
) {
  if (!kept || !isKept(kept.at, asked.now)) return null;
  if (kept.path !== asked.path)
    throw idempotencyError(
      400,
      `Keys for idempotent requests can only be used for the same endpoint they were first used for ('${kept.path}' vs '${asked.path}'). Try using a key other than '${kept.id}' if you meant to execute a different request.`,
    );
  if (kept.fingerprint !== asked.fingerprint)
    throw idempotencyError(
      400,
      `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${kept.id}' if you meant to execute a different request.`,
    );
  return kept;
}

/** The keys whose requests are still under way; in memory, for no request outlives its process. */
export class KeysInUse {
  private readonly keys = new Set<string>();

  /** Takes the key until the function returned is called; refused with 409 while another request holds it. */
  take(key: string): () => void {
    if (this.keys.has(key))
      throw idempotencyError(
        409,
        `There is currently another in-progress request using this Idempotent Key (that probably means you submitted twice, and the other request is still going through): ${key}`,
        "idempotency_key_in_use",
      );
    this.keys.add(key);
    return () => {
      this.keys.delete(key);
    };
  }
}
