import { createHash } from "node:crypto";

/** One person known to the identity provider. Times follow Firebase: milliseconds, except valid_since in seconds. */
export interface Account {
  uid: string;
  email: string | null;
  password_hash: string | null;
  password_updated_ms: number;
  email_verified: boolean;
  display_name: string | null;
  photo_url: string | null;
  disabled: boolean;
  claims: string | null;
  created_ms: number;
  last_login_ms: number | null;
  /** Tokens of sign-ins before this second are revoked. */
  valid_since: number;
}

/** A code that was sent by e-mail; good once and for an hour. */
export interface OobCode {
  code: string;
  type: "PASSWORD_RESET" | "VERIFY_EMAIL";
  email: string;
  expires_ms: number;
  used: boolean;
}

export interface Grant {
  uid: string;
  auth_time: number;
}

export interface IdentityState {
  accounts: Map<string, Account>;
  by_email: Map<string, string>;
  grants: Map<string, Grant>;
  codes: Map<string, OobCode>;
}

export type IdentityChange =
  | { created: Account }
  | { changed: string; with: Partial<Account> }
  | { deleted: string }
  | { granted: string; grant: Grant }
  | { sent: OobCode }
  | { used: string };

export const emptyIdentity = (): IdentityState => ({
  accounts: new Map(),
  by_email: new Map(),
  grants: new Map(),
  codes: new Map(),
});

/** How one change alters who is known. */
export function applyIdentity(state: IdentityState, change: IdentityChange): void {
  if ("created" in change) {
    state.accounts.set(change.created.uid, change.created);
    if (change.created.email) state.by_email.set(change.created.email, change.created.uid);
  } else if ("changed" in change) {
    const account = state.accounts.get(change.changed)!;
    if (change.with.email !== undefined && account.email) state.by_email.delete(account.email);
    Object.assign(account, change.with);
    if (account.email) state.by_email.set(account.email, account.uid);
  } else if ("deleted" in change) {
    const account = state.accounts.get(change.deleted)!;
    state.accounts.delete(account.uid);
    if (account.email) state.by_email.delete(account.email);
  } else if ("granted" in change) state.grants.set(change.granted, change.grant);
  else if ("sent" in change) state.codes.set(change.sent.code, change.sent);
  else state.codes.get(change.used)!.used = true;
}

/** The account with an address, whatever its capitals. */
export function accountByEmail(state: IdentityState, email: string): Account | undefined {
  return state.accounts.get(state.by_email.get(email.toLowerCase()) ?? "");
}

/** A quick digest: these passwords protect play accounts on one machine, and tests sign in a thousand times. */
export function passwordHash(uid: string, password: string): string {
  return createHash("sha256").update(`${uid}\n${password}`).digest("base64url");
}

/** Identity lives in real time, unlike every other partner: the browser's SDK counts a token's hour itself. */
export function realMs(): number {
  return Date.now();
}

/** An account as accounts:lookup shows it. */
export function userInfo(account: Account): Record<string, unknown> {
  const { email, display_name, photo_url, claims, last_login_ms } = account;
  return {
    localId: account.uid,
    ...(email && { email }),
    ...(display_name && { displayName: display_name }),
    ...(photo_url && { photoUrl: photo_url }),
    emailVerified: account.email_verified,
    disabled: account.disabled,
    ...(account.password_hash && {
      passwordHash: account.password_hash,
      passwordUpdatedAt: account.password_updated_ms,
    }),
    providerUserInfo:
      email && account.password_hash
        ? [
            {
              providerId: "password",
              federatedId: email,
              email,
              rawId: email,
              ...(display_name && { displayName: display_name }),
            },
          ]
        : [],
    validSince: String(account.valid_since),
    createdAt: String(account.created_ms),
    ...(last_login_ms && {
      lastLoginAt: String(last_login_ms),
      lastRefreshAt: new Date(last_login_ms).toISOString(),
    }),
    ...(claims && { customAttributes: claims }),
  };
}
