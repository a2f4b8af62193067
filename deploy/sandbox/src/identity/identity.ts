import type { FastifyInstance } from "fastify";
import { type AnyPartner, partner } from "../core/partner.ts";
import { applyIdentity, emptyIdentity, type IdentityChange, type IdentityState } from "./accounts.ts";
import { actionPage } from "./action-page.ts";
import { adminRoutes } from "./admin-routes.ts";
import { clientRoutes } from "./client-routes.ts";
import { googleBody } from "./errors.ts";

/** The one project of this sandbox: the audience of its tokens, and what the SDKs must be configured with. */
export const PROJECT = process.env.SANDBOX_FIREBASE_PROJECT ?? "tributary-sandbox";

/** Pages on other ports talk to the provider directly, as with the real one. */
function allowBrowsers(app: FastifyInstance): void {
  app.addHook("onRequest", async (request, reply) => {
    if (request.headers.origin) {
      reply.header("access-control-allow-origin", request.headers.origin);
      reply.header("vary", "origin");
    }
    if (request.method !== "OPTIONS") return;
    return reply
      .header("access-control-allow-methods", "GET, POST, OPTIONS")
      .header("access-control-allow-headers", request.headers["access-control-request-headers"] ?? "*")
      .header("access-control-max-age", "600")
      .code(204)
      .send();
  });
  for (const host of ["identitytoolkit", "securetoken"])
    app.options(`/${host}.googleapis.com/*`, async (_request, reply) => reply.code(204).send());
}

/** Firebase Authentication with e-mail and password, as far as the genuine SDKs ask for it here. */
export const identity = partner<IdentityState, IdentityChange>({
  name: "identity",
  prefixes: ["/identitytoolkit.googleapis.com", "/securetoken.googleapis.com"],
  initial: emptyIdentity,
  apply: applyIdentity,
  routes(app, ctx) {
    allowBrowsers(app);
    clientRoutes(app, ctx, PROJECT);
    adminRoutes(app, ctx, PROJECT);
    actionPage(app, ctx);
  },
  errorBody: (status, message) => googleBody(status, message),
}) as AnyPartner;
