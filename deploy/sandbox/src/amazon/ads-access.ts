import type { FastifyReply, FastifyRequest } from "fastify";
import type { AmazonContext } from "./context.ts";
import { adsError } from "./errors.ts";
import { isLive } from "./login-token.ts";
import type { Profile, Seller } from "./state.ts";

/** Whose data a request may read. */
export interface Reader {
  seller: Seller;
  profile: Profile;
}

/** The seller whose consent stands behind a request's access token. */
export function requireSeller(ctx: AmazonContext, request: FastifyRequest, reply: FastifyReply): Seller {
  reply.header("x-amz-request-id", ctx.id("", 20).toUpperCase());
  const clientId = request.headers["amazon-advertising-api-clientid"];
  if (!clientId) throw adsError(ctx, 401, "Amazon-Advertising-API-ClientId header is missing");
  const token = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? "")?.[1];
  if (!token) throw adsError(ctx, 401, "Authorization header is missing or is no bearer token");
  const access = ctx.state.access.get(token);
  const grant = access && ctx.state.grants.get(access.refresh_token);
  if (!access || !grant || access.expires_at <= ctx.now().toISOString() || !isLive(ctx, grant))
    throw adsError(ctx, 401, "HTTP 401 Unauthorized");
  if (grant.client_id !== clientId)
    throw adsError(
      ctx,
      401,
      "The access token was issued to another client than Amazon-Advertising-API-ClientId",
    );
  return ctx.state.sellers.get(grant.seller)!;
}

/** The profile that a request's Scope header selects out of the seller's own. */
export function requireProfile(ctx: AmazonContext, request: FastifyRequest, reply: FastifyReply): Reader {
  const seller = requireSeller(ctx, request, reply);
  const scope = request.headers["amazon-advertising-api-scope"];
  if (scope === undefined) throw adsError(ctx, 401, "Scope header is missing");
  const of = (other: Seller) => other.profiles.find(({ profile_id }) => String(profile_id) === scope);
  const profile = of(seller);
  if (profile) return { seller, profile };
  const somebodyElses = [...ctx.state.sellers.values()].some(of);
  throw adsError(
    ctx,
    401,
    somebodyElses ? "Not authorized to access scope" : "No matching advertiser found for scope",
  );
}

/** As requireProfile, for the attribution resources: legacy, author and agency profiles are not eligible. */
export function requireAttribution(ctx: AmazonContext, request: FastifyRequest, reply: FastifyReply): Reader {
  const reader = requireProfile(ctx, request, reply);
  if (reader.profile.type === "agency" || reader.profile.sub_type === "KDP_AUTHOR")
    throw adsError(
      ctx,
      ctx.state.dialect === "recorded" ? 400 : 403,
      "This profileID is not authorized to use Amazon Attribution",
    );
  return reader;
}
