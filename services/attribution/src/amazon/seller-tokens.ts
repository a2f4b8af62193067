import type { Sql } from "@tributary/runtime/client";
import type { Clock } from "@tributary/runtime/ports/clock";
import { GrantLost } from "./failures.ts";
import type { Grant } from "./login.ts";
import type { TokenCipher } from "./token-cipher.ts";

const EARLY_MS = 60_000;

/** Private table of the sellers' tokens, sealed; they stand in no event and no log line. */
export const TOKENS_TABLE = `create table if not exists private.seller_tokens (
  brand_id text primary key,
  access_token text not null,
  refresh_token text not null,
  expires_at timestamptz not null,
  granted_at timestamptz not null
);`;

interface Row {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly expires_at: Date | string;
  readonly granted_at: Date | string;
}

/** The sellers' tokens. */
export interface SellerTokens {
  /** Keeps a fresh grant in place of an older one. */
  keep(brand_id: string, grant: Grant): Promise<void>;
  drop(brand_id: string): Promise<void>;
  /** When the brand gave its consent (ISO 8601); null without tokens. */
  grantedAt(brand_id: string): Promise<string | null>;
  /** A token that is good for a minute at least. Throws GrantLost when there is none or it can't be renewed. */
  access(brand_id: string): Promise<string>;
  /** Another token than this one, which the retailer refused before its time. */
  accessAfter(brand_id: string, refused: string): Promise<string>;
}

/**
 * Renewal is single-flight per brand: callers of this process share one promise, processes queue at a lock of the database
 * and find what the first one brought.
 */
export function sellerTokens(
  sql: Sql,
  clock: Clock,
  cipher: TokenCipher,
  refresh: (refresh_token: string) => Promise<Grant>,
): SellerTokens {
  const underWay = new Map<string, Promise<string>>();
  const context = (brand_id: string, column: string): string => `seller_tokens|${brand_id}|${column}`;

  const row = async (brand_id: string): Promise<Row> => {
    const [found] = await sql.query<Row>(
      "select access_token, refresh_token, expires_at, granted_at from private.seller_tokens where brand_id = $1",
      [brand_id],
    );
    if (!found) throw new GrantLost("no tokens of this brand");
    return found;
  };
  const usable = (brand_id: string, found: Row, refused: string | null): string | null => {
    if (new Date(found.expires_at).getTime() - EARLY_MS <= Date.parse(clock.now())) return null;
    const token = cipher.open(found.access_token, context(brand_id, "access_token"));
    return token === refused ? null : token;
  };
  const sealed = (brand_id: string, grant: Grant): string[] => [
    brand_id,
    cipher.seal(grant.access_token, context(brand_id, "access_token")),
    cipher.seal(grant.refresh_token, context(brand_id, "refresh_token")),
    new Date(Date.parse(clock.now()) + grant.expires_in * 1000).toISOString(),
  ];
  const renew = (brand_id: string, refused: string | null): Promise<string> => {
    const already = underWay.get(brand_id);
    if (already) return already;
    const renewal = sql
      .alone(`seller-tokens/${brand_id}`, async () => {
        const found = await row(brand_id);
        const brought = usable(brand_id, found, refused);
        if (brought) return brought;
        const grant = await refresh(cipher.open(found.refresh_token, context(brand_id, "refresh_token")));
        await sql.query(
          `update private.seller_tokens set access_token = $2, refresh_token = $3, expires_at = $4
           where brand_id = $1 and refresh_token = $5`,
          [...sealed(brand_id, grant), found.refresh_token],
        );
        return grant.access_token;
      })
      .finally(() => underWay.delete(brand_id));
    underWay.set(brand_id, renewal);
    return renewal;
  };

  return {
    async keep(brand_id, grant) {
      await sql.query(
        `insert into private.seller_tokens (brand_id, access_token, refresh_token, expires_at, granted_at)
         values ($1, $2, $3, $4, $5)
         on conflict (brand_id) do update set access_token = excluded.access_token,
           refresh_token = excluded.refresh_token, expires_at = excluded.expires_at, granted_at = excluded.granted_at`,
        [...sealed(brand_id, grant), clock.now()],
      );
    },
    async drop(brand_id) {
      await sql.query("delete from private.seller_tokens where brand_id = $1", [brand_id]);
    },
    async grantedAt(brand_id) {
      const [found] = await sql.query<Row>(
        "select granted_at from private.seller_tokens where brand_id = $1",
        [brand_id],
      );
      return found ? new Date(found.granted_at).toISOString() : null;
    },
    access: async (brand_id) => usable(brand_id, await row(brand_id), null) ?? renew(brand_id, null),
    accessAfter: (brand_id, refused) => renew(brand_id, refused),
  };
}
