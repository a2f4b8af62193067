import type { Context } from "../core/partner.ts";
import { type Account, type IdentityChange, type IdentityState, realMs } from "./accounts.ts";
import { refuse } from "./errors.ts";

export type IdentityContext = Context<IdentityState, IdentityChange>;

const LIFE_SECONDS = 3600;

interface Claims {
  aud: string;
  sub: string;
  auth_time: number;
  exp: number;
}

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");

/** An unsigned ID token as the official emulator writes them; only a verifier told of an emulator accepts it. */
export function idToken(account: Account, authTime: number, project: string): string {
  const now = Math.floor(realMs() / 1000);
  const { uid, email } = account;
  const claims = {
    ...(account.claims ? (JSON.parse(account.claims) as Record<string, unknown>) : {}),
    ...(account.display_name && { name: account.display_name }),
    ...(email && { email }),
    email_verified: account.email_verified,
    iss: `https://securetoken.google.com/${project}`,
    aud: project,
    auth_time: authTime,
    user_id: uid,
    sub: uid,
    iat: now,
    exp: now + LIFE_SECONDS,
    firebase: { identities: email ? { email: [email] } : {}, sign_in_provider: "password" },
  };
  return `${encode({ alg: "none", typ: "JWT" })}.${encode(claims)}.`;
}

/** What a sign-in answers: an ID token for an hour and a refresh token for as long as nobody revokes it. */
export function signIn(ctx: IdentityContext, account: Account, project: string): Record<string, string> {
  const authTime = Math.floor(realMs() / 1000);
  const refreshToken = ctx.id("AMf-", 60);
  ctx.record({ granted: refreshToken, grant: { uid: account.uid, auth_time: authTime } });
  ctx.record({ changed: account.uid, with: { last_login_ms: realMs() } });
  return { idToken: idToken(account, authTime, project), refreshToken, expiresIn: String(LIFE_SECONDS) };
}

function usable(account: Account | undefined, authTime: number): Account {
  if (!account) throw refuse("USER_NOT_FOUND");
  if (account.disabled) throw refuse("USER_DISABLED");
  if (authTime < account.valid_since) throw refuse("TOKEN_EXPIRED");
  return account;
}

/** The account an ID token speaks for, refused when it is garbage, too old, revoked, or of somebody gone. */
export function bearer(ctx: IdentityContext, token: string, project: string): Account {
  let claims: Claims;
  try {
    claims = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString()) as Claims;
  } catch {
    throw refuse("INVALID_ID_TOKEN");
  }
  if (claims.aud !== project) throw refuse("INVALID_ID_TOKEN");
  if (claims.exp * 1000 <= realMs()) throw refuse("TOKEN_EXPIRED");
  return usable(ctx.state.accounts.get(claims.sub), claims.auth_time);
}

/** A fresh ID token for a refresh token. */
export function refresh(ctx: IdentityContext, token: string, project: string): Record<string, string> {
  const grant = ctx.state.grants.get(token);
  if (!grant) throw refuse("INVALID_REFRESH_TOKEN");
  const account = usable(ctx.state.accounts.get(grant.uid), grant.auth_time);
  const id = idToken(account, grant.auth_time, project);
  return {
    access_token: id,
    expires_in: String(LIFE_SECONDS),
    token_type: "Bearer",
    refresh_token: token,
    id_token: id,
    user_id: account.uid,
    project_id: project,
  };
}
