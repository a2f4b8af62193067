import { escapeHtml } from "../core/mail.ts";
import { type OobCode, realMs } from "./accounts.ts";
import { refuse } from "./errors.ts";
import type { IdentityContext } from "./tokens.ts";

const LIFE_MS = 3_600_000;

const SUBJECTS = {
  PASSWORD_RESET: "Reset your password",
  VERIFY_EMAIL: "Verify your email",
} as const;

const MODES = { PASSWORD_RESET: "resetPassword", VERIFY_EMAIL: "verifyEmail" } as const;

/** Makes a code and the link to the provider's own page for it; the link is relative, so that it works behind the gateway. */
export function newCode(
  ctx: IdentityContext,
  type: OobCode["type"],
  email: string,
  continueUrl: string | undefined,
): { code: string; link: string } {
  const code = ctx.id("", 40);
  ctx.record({ sent: { code, type, email, expires_ms: realMs() + LIFE_MS, used: false } });
  const query = new URLSearchParams({ mode: MODES[type], oobCode: code, lang: "en" });
  if (continueUrl) query.set("continueUrl", continueUrl);
  return { code, link: `/identitytoolkit.googleapis.com/action?${query}` };
}

/** Sends a code by e-mail. */
export function mailCode(
  ctx: IdentityContext,
  type: OobCode["type"],
  email: string,
  continueUrl: string | undefined,
): void {
  const { link } = newCode(ctx, type, email, continueUrl);
  ctx.mail.send({
    to: email,
    subject: SUBJECTS[type],
    html: `<p>Hello, follow this link to ${SUBJECTS[type].toLowerCase()} for ${escapeHtml(email)}.</p>`,
    link,
  });
}

/** The code if it is still good for this purpose. */
export function goodCode(ctx: IdentityContext, code: string, type?: OobCode["type"]): OobCode {
  const sent = ctx.state.codes.get(code);
  if (!sent || sent.used || (type && sent.type !== type)) throw refuse("INVALID_OOB_CODE");
  if (sent.expires_ms <= realMs()) throw refuse("EXPIRED_OOB_CODE");
  return sent;
}
