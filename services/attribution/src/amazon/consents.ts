import type { Sql } from "@tributary/runtime/client";
import type { Clock } from "@tributary/runtime/ports/clock";
import type { Random } from "@tributary/runtime/ports/random";
import type { TokenCipher } from "./token-cipher.ts";

const GOOD_FOR_MS = 10 * 60_000;

/** Private table of consents under way; the verifier never leaves the server. */
export const CONSENTS_TABLE = `create table if not exists private.amazon_consents (
  state text primary key,
  brand_id text not null,
  verifier text not null,
  expires_at timestamptz not null
);`;

/** A consent asked of a seller: who asked, and the secret that proves it was us. */
export interface Consents {
  /** A fresh state and verifier for this brand. */
  begin(brand_id: string): Promise<{ state: string; verifier: string }>;
  /** The verifier, once: null when the state was never given to this brand, was used before, or is older than ten minutes. */
  redeem(state: string, brand_id: string): Promise<string | null>;
}

/** Keeps them in the service's own database, so that any process may answer the callback. */
export function consents(sql: Sql, clock: Clock, random: Random, cipher: TokenCipher): Consents {
  const context = (state: string): string => `amazon_consents|${state}|verifier`;
  return {
    async begin(brand_id) {
      const [state, verifier] = [
        random.bytes(32).toString("base64url"),
        random.bytes(48).toString("base64url"),
      ];
      await sql.query("delete from private.amazon_consents where expires_at < $1", [clock.now()]);
      await sql.query(
        "insert into private.amazon_consents (state, brand_id, verifier, expires_at) values ($1, $2, $3, $4)",
        [
          state,
          brand_id,
          cipher.seal(verifier, context(state)),
          new Date(Date.parse(clock.now()) + GOOD_FOR_MS).toISOString(),
        ],
      );
      return { state, verifier };
    },
    async redeem(state, brand_id) {
      const [found] = await sql.query<{ verifier: string }>(
        "delete from private.amazon_consents where state = $1 and brand_id = $2 and expires_at >= $3 returning verifier",
        [state, brand_id, clock.now()],
      );
      return found ? cipher.open(found.verifier, context(state)) : null;
    },
  };
}
