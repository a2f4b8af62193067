import { createHash } from "node:crypto";
import { Refusal } from "@tributary/runtime/refusal";
import { ExpiringCache } from "./expiring-cache.ts";

/** What a genuine token of the identity provider says. */
export interface Identity {
  readonly uid: string;
  readonly email: string | null;
  /** When the token runs out, in seconds since 1970. */
  readonly expires: number;
}

/** Judges a token: null for one that is forged, expired or meant for somebody else; throws when it can't be judged now. */
export type VerifyToken = (token: string) => Promise<Identity | null>;

const REMEMBERED_MS = 60_000;
const MOST_TOKENS = 10_000;

/** 401 for a token that proves nothing. */
export const notAuthenticated = (): Refusal =>
  new Refusal(401, "not_authenticated", "User not authenticated");

/**
 * Reads who is asking from the authorization header: null when none was sent, 401 for one that is not good. What was verified is
 * remembered for a minute at most, by the token's hash, so that a dump of this process holds no token.
 */
export function identityReader(
  verify: VerifyToken,
  now: () => number,
): (authorization: string | undefined) => Promise<Identity | null> {
  const known = new ExpiringCache<Identity>(MOST_TOKENS, now);
  return async (authorization) => {
    if (authorization === undefined) return null;
    const token = /^Bearer (\S+)$/i.exec(authorization)?.[1];
    if (!token) throw notAuthenticated();
    const hash = createHash("sha256").update(token).digest("base64");
    const remembered = known.get(hash);
    if (remembered) return remembered;
    const identity = await verify(token);
    if (!identity) throw notAuthenticated();
    const left = identity.expires * 1000 - Date.now();
    if (left <= 0) throw notAuthenticated();
    known.set(hash, identity, Math.min(left, REMEMBERED_MS));
    return identity;
  };
}
