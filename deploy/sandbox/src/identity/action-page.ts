import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { escapeHtml } from "../core/mail.ts";
import { check, form, PartnerError } from "../core/strict.ts";
import { accountByEmail } from "./accounts.ts";
import { changeAccount } from "./change-account.ts";
import { badPayload, badQuery } from "./errors.ts";
import { goodCode } from "./oob-codes.ts";
import type { IdentityContext } from "./tokens.ts";

const Action = z.strictObject({
  mode: z.enum(["resetPassword", "verifyEmail"]),
  oobCode: z.string(),
  lang: z.string().optional(),
  continueUrl: z.url({ protocol: /^https?$/ }).optional(),
});
const NewPassword = z.strictObject({ oobCode: z.string(), newPassword: z.string() });

function page(title: string, inner: string): string {
  return (
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
    `<title>${title}</title><style>body{font:16px/1.5 system-ui;max-width:24rem;margin:4rem auto;padding:0 1rem}` +
    `label,input,button{display:block;width:100%;box-sizing:border-box;font:inherit}input,button{padding:.5rem;margin:.25rem 0 1rem}` +
    `</style></head><body><main><h1>${title}</h1>${inner}</main></body></html>`
  );
}

/** The provider's own pages behind the links in its mails: choose a new password, confirm an address. */
export function actionPage(app: FastifyInstance, ctx: IdentityContext): void {
  const path = "/identitytoolkit.googleapis.com/action";

  app.get(path, async (request, reply) => {
    const { mode, oobCode, continueUrl } = check(Action, request.query, badQuery);
    reply.type("text/html; charset=utf-8");
    const back = continueUrl ? `<p><a href="${escapeHtml(continueUrl)}">Continue</a></p>` : "";
    try {
      const { email } = goodCode(ctx, oobCode, mode === "resetPassword" ? "PASSWORD_RESET" : "VERIFY_EMAIL");
      if (mode === "verifyEmail") {
        const account = accountByEmail(ctx.state, email);
        if (account) changeAccount(ctx, account, { emailVerified: true });
        ctx.record({ used: oobCode });
        return page("Your email has been verified", `<p>${escapeHtml(email)}</p>${back}`);
      }
      return page(
        "Reset your password",
        `<p>for ${escapeHtml(email)}</p><form method="post" action="${path}">` +
          `<input type="hidden" name="oobCode" value="${escapeHtml(oobCode)}">` +
          `<label for="p">New password</label><input id="p" name="newPassword" type="password" minlength="6" required autocomplete="new-password">` +
          `<button>Save</button></form>`,
      );
    } catch (error) {
      if (!(error instanceof PartnerError)) throw error;
      return reply
        .code(error.status)
        .send(page("Try again", "<p>This link has expired or was already used.</p>"));
    }
  });

  app.post(path, async (request, reply) => {
    const { oobCode, newPassword } = check(NewPassword, form(request.body, badPayload), badPayload);
    reply.type("text/html; charset=utf-8");
    try {
      const account = accountByEmail(ctx.state, goodCode(ctx, oobCode, "PASSWORD_RESET").email);
      if (account) changeAccount(ctx, account, { password: newPassword, emailVerified: true });
      ctx.record({ used: oobCode });
      return page("Password changed", "<p>You can now sign in with your new password.</p>");
    } catch (error) {
      if (!(error instanceof PartnerError)) throw error;
      return reply
        .code(error.status)
        .send(
          page(
            "Try again",
            "<p>The link is no longer good, or the password is shorter than 6 characters.</p>",
          ),
        );
    }
  });
}
