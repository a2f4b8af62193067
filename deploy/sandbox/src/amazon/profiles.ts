import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { check } from "../core/strict.ts";
import { requireSeller } from "./ads-access.ts";
import type { AmazonContext } from "./context.ts";
import { adsFlaw } from "./errors.ts";
import type { Profile, Seller } from "./state.ts";

const Query = z.strictObject({
  apiProgram: z
    .enum(["billing", "campaign", "paymentMethod", "store", "report", "account", "posts"])
    .optional(),
  accessLevel: z.enum(["edit", "view"]).optional(),
  profileTypeFilter: z
    .string()
    .regex(/^(seller|vendor|agency)(,(seller|vendor|agency))*$/)
    .optional(),
  validPaymentMethodFilter: z.enum(["true", "false"]).optional(),
});

function shown(profile: Profile, seller: Seller): Record<string, unknown> {
  return {
    profileId: profile.profile_id,
    countryCode: profile.country,
    currencyCode: profile.currency,
    timezone: profile.timezone,
    accountInfo: {
      marketplaceStringId: profile.marketplace_id,
      id: profile.account_id,
      type: profile.type,
      name: seller.name,
      ...(profile.sub_type && { subType: profile.sub_type }),
      validPaymentMethod: true,
    },
  };
}

/** Which marketplaces a seller is in. Profiles that can only be viewed are listed only when asked for. */
export function profiles(app: FastifyInstance, ctx: AmazonContext): void {
  app.get("/amazon-ads/v2/profiles", async (request, reply) => {
    const seller = requireSeller(ctx, request, reply);
    const { accessLevel = "edit", profileTypeFilter } = check(Query, request.query, adsFlaw(ctx));
    const types = profileTypeFilter?.split(",");
    return seller.profiles
      .filter(({ access }) => accessLevel === "view" || access === "edit")
      .filter(({ type }) => types === undefined || types.includes(type))
      .map((profile) => shown(profile, seller));
  });
}
