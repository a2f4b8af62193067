import { createHmac, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import { Caller } from "../caller.ts";

/** The header in which the gateway vouches for a caller. It is set anew on every request; what a client sends under it is dropped. */
export const INTERNAL_TOKEN_HEADER = "x-tributary-caller";
const LIFETIME_SECONDS = 60;

const Claims = z.object({ aud: z.string(), exp: z.int(), caller: Caller.nullable() });

const signature = (key: string, body: string): Buffer => createHmac("sha256", key).update(body).digest();

/** Vouches for a caller (null: nobody signed in) towards one service, for a minute of real time. */
export function signCaller(key: string, service: string, caller: Caller | null): string {
  const exp = Math.floor(Date.now() / 1000) + LIFETIME_SECONDS;
  const body = Buffer.from(JSON.stringify({ aud: service, exp, caller })).toString("base64url");
  return `${body}.${signature(key, body).toString("base64url")}`;
}

/** Reads a token made for this service. Undefined for anything forged, expired or meant for another. */
export function readCaller(
  key: string,
  service: string,
  token: string | undefined,
): Caller | null | undefined {
  const [body, mac] = token?.split(".") ?? [];
  if (!body || !mac) return undefined;
  const given = Buffer.from(mac, "base64url");
  const expected = signature(key, body);
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
  const claims = Claims.safeParse(JSON.parse(Buffer.from(body, "base64url").toString()));
  if (!claims.success || claims.data.aud !== service || claims.data.exp < Date.now() / 1000) return undefined;
  return claims.data.caller;
}
