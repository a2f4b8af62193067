import { type Account, accountByEmail, passwordHash, realMs } from "./accounts.ts";
import { refuse } from "./errors.ts";
import type { IdentityContext } from "./tokens.ts";

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/** What can be set of an account; the fields carry Google's names. */
export interface Wanted {
  email?: string;
  password?: string;
  displayName?: string;
  photoUrl?: string;
  emailVerified?: boolean;
  disableUser?: boolean;
  customAttributes?: string;
  validSince?: number;
  deleteAttribute?: string[];
}

/** The address in lower case, or INVALID_EMAIL. */
export function validEmail(email: string): string {
  if (!EMAIL.test(email)) throw refuse("INVALID_EMAIL");
  return email.toLowerCase();
}

function freeEmail(ctx: IdentityContext, email: string, uid: string | null): string {
  const valid = validEmail(email);
  const held = accountByEmail(ctx.state, valid);
  if (held && held.uid !== uid) throw refuse("EMAIL_EXISTS");
  return valid;
}

function strongPassword(password: string): string {
  if (password.length < 6) throw refuse("WEAK_PASSWORD : Password should be at least 6 characters");
  return password;
}

function claims(text: string): string {
  if (text.length > 1000) throw refuse("CLAIMS_TOO_LARGE");
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw refuse("INVALID_CLAIMS");
  }
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) throw refuse("INVALID_CLAIMS");
  return text;
}

/** Creates an account; the uid is drawn unless the admin brings one. */
export function createAccount(
  ctx: IdentityContext,
  wanted: Wanted & { localId?: string; disabled?: boolean },
): Account {
  const uid = wanted.localId ?? ctx.id("", 28);
  if (ctx.state.accounts.has(uid)) throw refuse("DUPLICATE_LOCAL_ID");
  const now = realMs();
  const account: Account = {
    uid,
    email: wanted.email === undefined ? null : freeEmail(ctx, wanted.email, null),
    password_hash: wanted.password === undefined ? null : passwordHash(uid, strongPassword(wanted.password)),
    password_updated_ms: now,
    email_verified: wanted.emailVerified ?? false,
    display_name: wanted.displayName ?? null,
    photo_url: wanted.photoUrl ?? null,
    disabled: wanted.disabled ?? false,
    claims: wanted.customAttributes === undefined ? null : claims(wanted.customAttributes),
    created_ms: now,
    last_login_ms: null,
    valid_since: Math.floor(now / 1000),
  };
  ctx.record({ created: account });
  return ctx.state.accounts.get(uid)!;
}

/** Changes an account. A new password revokes every earlier sign-in. */
export function changeAccount(ctx: IdentityContext, account: Account, wanted: Wanted): Account {
  const change: Partial<Account> = {};
  if (wanted.email !== undefined) change.email = freeEmail(ctx, wanted.email, account.uid);
  if (wanted.password !== undefined) {
    change.password_hash = passwordHash(account.uid, strongPassword(wanted.password));
    change.password_updated_ms = realMs();
    change.valid_since = Math.floor(realMs() / 1000);
  }
  if (wanted.displayName !== undefined) change.display_name = wanted.displayName;
  if (wanted.photoUrl !== undefined) change.photo_url = wanted.photoUrl;
  if (wanted.emailVerified !== undefined) change.email_verified = wanted.emailVerified;
  if (wanted.disableUser !== undefined) change.disabled = wanted.disableUser;
  if (wanted.customAttributes !== undefined) change.claims = claims(wanted.customAttributes);
  if (wanted.validSince !== undefined) change.valid_since = wanted.validSince;
  for (const attribute of wanted.deleteAttribute ?? []) {
    if (attribute === "DISPLAY_NAME") change.display_name = null;
    if (attribute === "PHOTO_URL") change.photo_url = null;
  }
  ctx.record({ changed: account.uid, with: change });
  return account;
}
