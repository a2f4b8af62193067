import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { escapeHtml } from "../core/mail.ts";
import type { Context } from "../core/partner.ts";
import { form, PartnerError } from "../core/strict.ts";
import { declinedOnPage, paidOnPage } from "./authentication.ts";
import { StripeError } from "./errors.ts";
import { choices, htmlPage } from "./html.ts";
import { verifyDeposits } from "./microdeposits.ts";
import { move, type Standing } from "./onboarding.ts";
import type { Change, OnboardingLink, State } from "./state.ts";
import { Unit } from "./unit.ts";

const html = "text/html; charset=utf-8";

function lost(what: string): PartnerError {
  return new PartnerError(404, htmlPage("Not found", `<p>${escapeHtml(what)}</p>`), { "content-type": html });
}

function field(request: FastifyRequest, name: string): string | undefined {
  return form(request.body, ({ message }) => lost(message))[name];
}

type Path = { Params: { id: string }; Querystring: { auto?: string } };

/** The pages people see at Stripe: onboarding, the bank's question to a card holder, small deposits, the express dashboard. */
export function pages(app: FastifyInstance, ctx: Context<State, Change>): void {
  const here = "/_sandbox/stripe";

  function answer(link: OnboardingLink, choice: string, reply: FastifyReply) {
    const standings: Record<string, Standing> = {
      complete: "complete",
      pending: "submitted",
      restricted: "restricted",
    };
    const standing = standings[choice];
    const unit = new Unit(ctx, null);
    unit.put({ ...link, visited: true });
    if (standing) move(unit, unit.get("account", link.account), standing);
    unit.commit();
    return reply.redirect(link.return_url, 303);
  }

  app.get<Path>(`${here}/onboarding/:id`, (request, reply) => {
    const link = ctx.state.objects.onboarding_link.get(request.params.id);
    if (!link) throw lost("There is no such onboarding link.");
    if (link.visited || link.expires_at * 1000 <= ctx.now().getTime())
      return reply.redirect(link.refresh_url, 303);
    if (request.query.auto === "complete") return answer(link, "complete", reply);
    const unit = new Unit(ctx, null);
    unit.put({ ...link, visited: true });
    unit.commit();
    const buttons = {
      complete: "Complete everything",
      pending: "Submit, verification pending",
      restricted: "Submit, but a document is refused",
      later: "Save for later",
    };
    return reply.type(html).send(htmlPage("Get paid with Stripe (sandbox)", choices("choice", buttons)));
  });

  app.post<Path>(`${here}/onboarding/:id`, (request, reply) => {
    const link = ctx.state.objects.onboarding_link.get(request.params.id);
    if (!link?.visited) throw lost("There is no such onboarding under way.");
    return answer(link, field(request, "choice") ?? "later", reply);
  });

  function authenticated(id: string, agrees: boolean, reply: FastifyReply) {
    const unit = new Unit(ctx, null);
    const intent = unit.find("payment_intent", id) ?? unit.find("setup_intent", id);
    if (intent?.status !== "requires_action" || intent.next_action?.type === "verify_with_microdeposits")
      throw lost("Nothing waits for an authentication here.");
    const back =
      intent.next_action?.type === "redirect_to_url" ? intent.next_action.redirect_to_url.return_url : null;
    (agrees ? paidOnPage : declinedOnPage)(unit, intent);
    unit.commit();
    return back
      ? reply.redirect(back, 303)
      : reply.type(html).send(htmlPage("Thank you", "<p>You can close this page.</p>"));
  }

  app.get<Path>(`${here}/authenticate/:id`, (request, reply) => {
    const { auto } = request.query;
    if (auto !== undefined) return authenticated(request.params.id, auto === "complete", reply);
    const buttons = { complete: "Yes, it is me", fail: "No, decline" };
    return reply.type(html).send(htmlPage("Your bank asks: is this you?", choices("choice", buttons)));
  });

  app.post<Path>(`${here}/authenticate/:id`, (request, reply) =>
    authenticated(request.params.id, field(request, "choice") === "complete", reply),
  );

  app.get<Path>(`${here}/microdeposits/:id`, (_request, reply) =>
    reply
      .type(html)
      .send(
        htmlPage(
          "Verify your bank account",
          `<form method="post"><label>Descriptor code <input name="code" placeholder="SM11AA" required></label> <button>Verify</button></form>`,
        ),
      ),
  );

  app.post<Path>(`${here}/microdeposits/:id`, (request, reply) => {
    const unit = new Unit(ctx, null);
    const intent = unit.find("setup_intent", request.params.id);
    if (!intent) throw lost("There is no such verification.");
    try {
      verifyDeposits(unit, intent, { descriptor_code: field(request, "code") ?? "" });
      unit.commit();
      return reply.type(html).send(htmlPage("Verified", "<p>Your bank account can be used now.</p>"));
    } catch (error) {
      if (!(error instanceof StripeError)) throw error;
      if (error.keeps) unit.commit();
      return reply
        .code(400)
        .type(html)
        .send(htmlPage("Not verified", `<p>${escapeHtml(error.message)}</p>`));
    }
  });

  app.get<Path>(`${here}/express/:id`, (request, reply) => {
    const { id } = request.params;
    if (!ctx.state.objects.account.has(id)) throw lost("There is no such account.");
    const cents = ctx.state.balances[id] ?? "0";
    return reply
      .type(html)
      .send(htmlPage("Express dashboard (sandbox)", `<p>Balance of ${escapeHtml(id)}: ${cents} cents</p>`));
  });
}
