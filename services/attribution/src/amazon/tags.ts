import { z } from "zod";
import type { Tag } from "../seller.ts";
import type { AdsApi } from "./ads-api.ts";
import type { Patience } from "./asking.ts";

/** A seller's profile, in whose name the attribution routes are asked. */
export interface Account {
  readonly brand_id: string;
  readonly profile_id: string;
}

const Advertisers = z.object({
  advertisers: z
    .array(z.object({ advertiserId: z.coerce.string(), advertiserName: z.string().nullish() }))
    .default([]),
});
const Publisher = z.object({
  id: z.coerce.string(),
  name: z.string().nullish(),
  macroEnabled: z.boolean().default(false),
});
const Publishers = z.union([
  z.object({ publishers: z.array(Publisher) }).transform(({ publishers }) => publishers),
  z.object({ publisher: z.array(Publisher) }).transform(({ publisher }) => publisher),
]);
const TagMap = z.record(z.string(), z.record(z.string(), z.string().nullable()));
const Tags = z.union([
  z.object({ advertiserAttributionTagMap: TagMap }).transform((body) => body.advertiserAttributionTagMap),
  TagMap,
]);

const get = (ask: AdsApi, { brand_id, profile_id }: Account, path: string, patience: Patience, query = {}) =>
  ask({ brand_id, scope: profile_id, method: "GET", path, query, patience });

/** The advertisers of the profile; a seller has exactly one. */
export async function fetchAdvertisers(ask: AdsApi, account: Account, patience: Patience) {
  const { body } = await get(ask, account, "/attribution/advertisers", patience);
  return Advertisers.parse(body).advertisers.map(({ advertiserId, advertiserName }) => ({
    advertiser_id: advertiserId,
    name: advertiserName ?? "",
  }));
}

/** The places a link may stand at; the same list for everybody. */
export async function fetchPublishers(ask: AdsApi, account: Account, patience: Patience) {
  const { body } = await get(ask, account, "/attribution/publishers", patience);
  return Publishers.parse(body).map(({ id, macroEnabled }) => ({ publisher_id: id, is_macro: macroEnabled }));
}

/**
 * The tags of all publishers of one kind. Nothing of a profile is measured before the first such call, so it is made before
 * the first link is handed out.
 */
export async function fetchTags(
  ask: AdsApi,
  account: Account,
  is_macro: boolean,
  patience: Patience,
): Promise<Tag[]> {
  const publishers = await fetchPublishers(ask, account, patience);
  const publisherIds = publishers.filter((one) => one.is_macro === is_macro).map((one) => one.publisher_id);
  if (publisherIds.length === 0) return [];
  const path = `/attribution/tags/${is_macro ? "macroTag" : "nonMacroTemplateTag"}`;
  const { body } = await get(ask, account, path, patience, { publisherIds: publisherIds.join(",") });
  return Object.entries(Tags.parse(body)).flatMap(([advertiser_id, byPublisher]) =>
    Object.entries(byPublisher).flatMap(([publisher_id, aa_tag]) =>
      aa_tag ? [{ advertiser_id, publisher_id, aa_tag }] : [],
    ),
  );
}
