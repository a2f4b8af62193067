import { isDeepStrictEqual } from "node:util";
import { AdvertisersFound, TagsIssued } from "@tributary/contracts/events/attribution";
import type { Acting } from "@tributary/runtime/acting";
import { to } from "@tributary/runtime/decision";
import { amazon } from "../amazon/amazon.ts";
import { BROWSER, type Patience } from "../amazon/asking.ts";
import type { Account } from "../amazon/tags.ts";
import { seller, type Tag } from "../seller.ts";

/** Asks for the profile's advertisers and records them when they are news. */
export async function learnAdvertisers(
  acting: Acting,
  { brand_id, profile_id }: Account,
  patience = BROWSER,
) {
  const advertisers = await acting.use(amazon).advertisers({ brand_id, profile_id }, patience);
  await acting.act({ state: seller.at(brand_id) }, ({ state }) =>
    state.profile_id !== profile_id || isDeepStrictEqual(state.advertisers, advertisers)
      ? []
      : [to(seller.at(brand_id), AdvertisersFound({ brand_id, profile_id, advertisers }))],
  );
  return advertisers;
}

/** Asks for the profile's tags of one kind, which also makes the retailer begin to measure, and records them when they are news. */
export async function learnTags(
  acting: Acting,
  { brand_id, profile_id }: Account,
  is_macro: boolean,
  patience: Patience = BROWSER,
): Promise<Tag[]> {
  const tags = await acting.use(amazon).tags({ brand_id, profile_id }, is_macro, patience);
  await acting.act({ state: seller.at(brand_id) }, ({ state }) =>
    state.profile_id !== profile_id || isDeepStrictEqual(state.tags[is_macro ? "macro" : "static"], tags)
      ? []
      : [to(seller.at(brand_id), TagsIssued({ brand_id, profile_id, is_macro, tags }))],
  );
  return tags;
}
