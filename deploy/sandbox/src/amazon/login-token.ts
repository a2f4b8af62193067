import { createHash } from "node:crypto";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { check, type Flaw, form, mediaType, type PartnerError } from "../core/strict.ts";
import type { AmazonContext } from "./context.ts";
import { invalidGrant, loginError } from "./errors.ts";
import { LOGIN_CLIENT } from "./login-clients.ts";
import type { AccessToken, LoginCode, LoginGrant } from "./state.ts";

const ACCESS_SECONDS = 3600;
const REFRESH_DAYS = 365;
const DAY_MS = 86_400_000;

const text = z.string().min(1);
const client = { client_id: text, client_secret: text };
const ByCode = z.strictObject({
  grant_type: z.literal("authorization_code"),
  code: text,
  redirect_uri: text,
  code_verifier: text.optional(),
  ...client,
});
const ByRefresh = z.strictObject({ grant_type: z.literal("refresh_token"), refresh_token: text, ...client });

function refuse({ kind, path, message }: Flaw): PartnerError {
  return loginError(
    400,
    "invalid_request",
    kind === "missing"
      ? `The request is missing a required parameter : ${path}`
      : kind === "unknown"
        ? `The request has an unsupported parameter : ${path}`
        : `The request has an invalid parameter : ${path}. ${message}`,
  );
}

function verifierFits(code: LoginCode, verifier: string | undefined): boolean {
  if (code.challenge === null) return verifier === undefined;
  if (verifier === undefined) return false;
  if (code.challenge_method === "plain") return verifier === code.challenge;
  return createHash("sha256").update(verifier).digest("base64url") === code.challenge;
}

/** True while the owner of a consent has not withdrawn it and it has not run out. */
export function isLive(ctx: AmazonContext, grant: LoginGrant): boolean {
  const now = ctx.now().toISOString();
  return grant.expires_at > now && (grant.revoked_at === null || grant.revoked_at > now);
}

/** Where codes become tokens and tokens are refreshed; all times by the virtual clock. */
export function tokens(app: FastifyInstance, ctx: AmazonContext): void {
  function newAccess(refreshToken: string): AccessToken {
    return {
      token: ctx.id("Atza|", 60),
      refresh_token: refreshToken,
      expires_at: new Date(ctx.now().getTime() + ACCESS_SECONDS * 1000).toISOString(),
    };
  }

  function newGrant(code: LoginCode): LoginGrant {
    const now = ctx.now().getTime();
    const days = ctx.state.sellers.get(code.seller)?.revokes_after_days ?? null;
    return {
      refresh_token: ctx.id("Atzr|", 60),
      seller: code.seller,
      client_id: code.client_id,
      expires_at: new Date(now + REFRESH_DAYS * DAY_MS).toISOString(),
      revoked_at: days === null ? null : new Date(now + days * DAY_MS).toISOString(),
    };
  }

  function knownClient({ client_id, client_secret }: { client_id: string; client_secret: string }): void {
    if (client_id !== LOGIN_CLIENT.client_id || client_secret !== LOGIN_CLIENT.client_secret)
      throw loginError(401, "invalid_client", "Client authentication failed");
  }

  app.post("/amazon/auth/o2/token", async (request, reply) => {
    reply.header("cache-control", "no-store");
    if (mediaType(request.headers["content-type"]) !== "application/x-www-form-urlencoded")
      throw loginError(400, "invalid_request", "The request must be application/x-www-form-urlencoded");
    check(z.strictObject({}), request.query, refuse);
    const fields = form(request.body, refuse);
    let access: AccessToken;

    if (fields.grant_type === "authorization_code") {
      const ask = check(ByCode, fields, refuse);
      knownClient(ask);
      const code = ctx.state.codes.get(ask.code);
      if (!code || code.used || code.expires_at <= ctx.now().toISOString()) throw invalidGrant("code");
      if (code.redirect_uri !== ask.redirect_uri) throw invalidGrant("redirect_uri");
      if (!verifierFits(code, ask.code_verifier)) throw invalidGrant("code_verifier");
      const grant = newGrant(code);
      access = newAccess(grant.refresh_token);
      ctx.record({ code_used: code.code, grant, access });
    } else if (fields.grant_type === "refresh_token") {
      const ask = check(ByRefresh, fields, refuse);
      knownClient(ask);
      const grant = ctx.state.grants.get(ask.refresh_token);
      if (!grant || !isLive(ctx, grant)) throw invalidGrant("refresh_token");
      access = newAccess(grant.refresh_token);
      ctx.record({ access });
    } else if (fields.grant_type === undefined) {
      throw loginError(400, "invalid_request", "The request is missing a required parameter : grant_type");
    } else {
      throw loginError(
        400,
        "unsupported_grant_type",
        "The authorization grant type is not supported by the authorization server",
      );
    }
    return {
      access_token: access.token,
      refresh_token: access.refresh_token,
      token_type: "bearer",
      expires_in: ACCESS_SECONDS,
    };
  });
}
