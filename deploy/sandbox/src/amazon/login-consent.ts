import type { FastifyInstance, FastifyReply } from "fastify";
import { z } from "zod";
import { escapeHtml } from "../core/mail.ts";
import { check, PartnerError } from "../core/strict.ts";
import type { AmazonContext } from "./context.ts";
import { loginError } from "./errors.ts";
import { isAllowedReturn, LOGIN_CLIENT } from "./login-clients.ts";

const CODE_LIFE_MS = 5 * 60_000;
const SCOPE = "advertising::campaign_management";

const Ask = z.strictObject({
  client_id: z.string().max(100),
  scope: z.string(),
  response_type: z.string(),
  redirect_uri: z.string(),
  state: z.string().optional(),
  code_challenge: z.string().min(43).max(128).optional(),
  code_challenge_method: z.enum(["S256", "plain"]).optional(),
  auto: z.enum(["approve", "deny"]).optional(),
  account: z.string().optional(),
});
type Ask = z.infer<typeof Ask>;

const STYLE =
  "body{font:16px/1.5 system-ui;max-width:26rem;margin:3rem auto;padding:0 1rem;color:#111}" +
  "fieldset{border:1px solid #bbb;border-radius:8px;margin:1rem 0}label{display:block;padding:.6rem .25rem;cursor:pointer}" +
  "button{font:inherit;padding:.6rem 1.2rem;border-radius:8px;border:1px solid #888;background:#fff;cursor:pointer;margin-right:.5rem}" +
  "button.go{background:#1f4f46;border-color:#1f4f46;color:#fff}small{color:#555}";

function page(title: string, inner: string): string {
  return (
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
    `<title>${title}</title><style>${STYLE}</style></head><body><main><h1>${title}</h1>${inner}</main></body></html>`
  );
}

function consentPage(ctx: AmazonContext, ask: Ask): string {
  const { auto: _auto, account: _account, ...kept } = ask;
  const hidden = Object.entries(kept)
    .map(([name, value]) => `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`)
    .join("");
  const accounts = [...ctx.state.sellers.values()]
    .map(
      ({ key, name, products }, index) =>
        `<label><input type="radio" name="account" value="${escapeHtml(key)}"${index === 0 ? " checked" : ""}> ` +
        `${escapeHtml(name)} <small>(${escapeHtml(key)}, ${products.length} products)</small></label>`,
    )
    .join("");
  return page(
    "Login with Amazon",
    `<p>An app asks to <strong>read your advertising profiles, products and reports</strong>.</p>` +
      `<form method="get" action="/amazon/ap/oa">${hidden}<fieldset><legend>Log in as</legend>${accounts}</fieldset>` +
      `<button class="go" name="auto" value="approve">Allow</button><button name="auto" value="deny">Cancel</button></form>` +
      `<p><small>This is the partner sandbox, not Amazon.</small></p>`,
  );
}

function back(
  reply: FastifyReply,
  ask: { redirect_uri: string; state?: string },
  answer: Record<string, string>,
): FastifyReply {
  const url = new URL(ask.redirect_uri);
  for (const [name, value] of Object.entries(answer)) url.searchParams.set(name, value);
  if (ask.state !== undefined) url.searchParams.set("state", ask.state);
  return reply.redirect(url.href, 302);
}

/** The page on which a seller allows the product to read its data. */
export function consent(app: FastifyInstance, ctx: AmazonContext): void {
  app.get("/amazon/ap/oa", async (request, reply) => {
    const query = request.query as Record<string, string | string[]>;
    reply.header("cache-control", "no-store").type("text/html; charset=utf-8");
    // Without a known client and return URL there is nobody to send an error to: Amazon shows a page of its own.
    if (query.client_id !== LOGIN_CLIENT.client_id)
      return reply
        .code(400)
        .send(page("We're sorry!", "<p>An unknown client_id was sent: invalid_client</p>"));
    if (typeof query.redirect_uri !== "string" || !isAllowedReturn(query.redirect_uri))
      return reply
        .code(400)
        .send(page("We're sorry!", "<p>The redirect_uri is not an allowed return URL of this app.</p>"));

    const to = {
      redirect_uri: query.redirect_uri,
      state: typeof query.state === "string" ? query.state : undefined,
    };
    let ask: Ask;
    try {
      ask = check(Ask, query, ({ message }) => loginError(400, "invalid_request", message));
    } catch (error) {
      if (!(error instanceof PartnerError)) throw error;
      return back(reply, to, error.body as Record<string, string>);
    }
    if (ask.response_type !== "code")
      return back(reply, to, {
        error: "unsupported_response_type",
        error_description: `The response type ${ask.response_type} is not supported`,
      });
    if (ask.scope !== SCOPE)
      return back(reply, to, {
        error: "invalid_scope",
        error_description: `An unknown scope was requested: ${ask.scope}`,
      });
    if (ask.auto === "deny")
      return back(reply, to, { error: "access_denied", error_description: "The user denied the request" });
    if (ask.auto === undefined) return reply.send(consentPage(ctx, ask));

    const seller = ctx.state.sellers.get(ask.account ?? "ok");
    if (!seller)
      return reply.code(404).send(page("We're sorry!", `<p>No account ${escapeHtml(ask.account ?? "")}</p>`));
    const code = ctx.id("AN", 18);
    ctx.record({
      code: {
        code,
        seller: seller.key,
        client_id: ask.client_id,
        redirect_uri: ask.redirect_uri,
        scope: ask.scope,
        challenge: ask.code_challenge ?? null,
        challenge_method: ask.code_challenge_method ?? "plain",
        expires_at: new Date(ctx.now().getTime() + CODE_LIFE_MS).toISOString(),
        used: false,
      },
    });
    return back(reply, to, { code, scope: ask.scope });
  });
}
