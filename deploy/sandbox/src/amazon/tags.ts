import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { check } from "../core/strict.ts";
import { type Reader, requireAttribution } from "./ads-access.ts";
import type { AmazonContext } from "./context.ts";
import { adsError, adsFlaw } from "./errors.ts";
import { PUBLISHERS } from "./publishers.ts";

const CLIENT_NUMBER = 129;

const ids = z.union([z.string(), z.array(z.string())]);
const Query = z.strictObject({ publisherIds: ids, advertiserIds: ids.optional() });

/** Comma-joined or repeated: the document says one, the real clients do the other, both work. */
function idList(value: string | string[]): string[] {
  return (Array.isArray(value) ? value : [value]).flatMap((part) => part.split(",")).map((id) => id.trim());
}

const MACROS: Record<string, string> = {
  "1": "aa_campaignid={campaignid}&aa_adgroupid={adgroupid}&aa_creativeid=ad-{creative}_{targetid}_dev-{device}_ext-{feeditemid}",
  "2": "aa_campaignid={{campaign.id}}&aa_adgroupid={{adset.id}}&aa_creativeid={{ad.id}}",
  "3": "aa_campaignid={CampaignId}&aa_adgroupid={AdGroupId}&aa_creativeid=ad-{AdId}_{TargetId}_dev-{Device}_ext-{feeditemid}",
  "4": "aa_campaignid={campaignid}&aa_adgroupid={adgroupid}&aa_creativeid={adid}",
};
const STATIC =
  "aa_campaignid={insertCampaign}&aa_adgroupid={insertAdGroupId}&aa_creativeid={insertCreativeId}";

function tag(advertiser: string, publisher: string, kind: "macro" | "static"): string {
  const values = kind === "macro" ? MACROS[publisher] : STATIC;
  return `?maas=maas_adg_api_${advertiser}_${kind}_${publisher}_${CLIENT_NUMBER}&ref_=aa_maas&tag=maas&${values}`;
}

function tagMap(ctx: AmazonContext, { profile }: Reader, query: unknown, kind: "macro" | "static"): unknown {
  const { publisherIds, advertiserIds } = check(Query, query, adsFlaw(ctx));
  for (const id of advertiserIds === undefined ? [] : idList(advertiserIds))
    if (id !== profile.advertiser_id) throw adsError(ctx, 400, `Invalid advertiserId: ${id}`);
  const publishers = idList(publisherIds);
  for (const id of publishers) {
    const publisher = PUBLISHERS.find((known) => known.id === id);
    if (!publisher) throw adsError(ctx, 400, `Invalid publisherId: ${id}`);
    if (publisher.macroEnabled !== (kind === "macro"))
      throw adsError(
        ctx,
        400,
        `Publisher ${id} does not support ${kind === "macro" ? "macro" : "non-macro"} tags`,
      );
  }
  // The hidden side effect of the real resource: only from now on are the advertiser's clicks measured.
  const { advertiser_id } = profile;
  if (!ctx.state.measured_since.has(advertiser_id))
    ctx.record({ measured: advertiser_id, at: ctx.now().toISOString() });
  const map = {
    [advertiser_id]: Object.fromEntries(publishers.map((id) => [id, tag(advertiser_id, id, kind)])),
  };
  return ctx.state.dialect === "recorded" ? map : { advertiserAttributionTagMap: map };
}

/** Advertisers, publishers and the tags that make a link measurable. */
export function attributionSetup(app: FastifyInstance, ctx: AmazonContext): void {
  const nothing = z.strictObject({});

  app.get("/amazon-ads/attribution/advertisers", async (request, reply) => {
    const { seller, profile } = requireAttribution(ctx, request, reply);
    check(nothing, request.query, adsFlaw(ctx));
    return { advertisers: [{ advertiserId: profile.advertiser_id, advertiserName: seller.name }] };
  });

  app.get("/amazon-ads/attribution/publishers", async (request, reply) => {
    requireAttribution(ctx, request, reply);
    check(nothing, request.query, adsFlaw(ctx));
    return ctx.state.dialect === "recorded" ? { publishers: PUBLISHERS } : { publisher: PUBLISHERS };
  });

  app.get("/amazon-ads/attribution/tags/macroTag", async (request, reply) =>
    tagMap(ctx, requireAttribution(ctx, request, reply), request.query, "macro"),
  );
  app.get("/amazon-ads/attribution/tags/nonMacroTemplateTag", async (request, reply) =>
    tagMap(ctx, requireAttribution(ctx, request, reply), request.query, "static"),
  );
}
