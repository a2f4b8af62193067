import { z } from "zod";
import type { Profile } from "../seller.ts";
import type { AdsApi } from "./ads-api.ts";
import type { Patience } from "./asking.ts";

const text = z.coerce.string();
const ListedProfiles = z.array(
  z.object({
    profileId: text,
    countryCode: z.string(),
    accountInfo: z.object({
      marketplaceStringId: z.string().nullish(),
      id: text.nullish(),
      type: z.string(),
      name: z.string().nullish(),
      subType: z.string().nullish(),
    }),
  }),
);

/** The profiles the grant reaches; an empty list is a normal state of a young account. */
export async function fetchProfiles(ask: AdsApi, brand_id: string, patience: Patience): Promise<Profile[]> {
  const { body } = await ask({ brand_id, scope: null, method: "GET", path: "/v2/profiles", patience });
  return ListedProfiles.parse(body ?? []).map(({ profileId, countryCode, accountInfo }) => ({
    profile_id: profileId,
    merchant_token: accountInfo.id ?? "",
    country_code: countryCode,
    marketplace_id: accountInfo.marketplaceStringId ?? "",
    name: accountInfo.name ?? "",
    type: accountInfo.type,
    subtype: accountInfo.subType ?? null,
  }));
}

/** A US seller's own profile; legacy profiles carry a subtype and don't count. */
export const isEligible = ({ type, country_code, subtype }: Profile): boolean =>
  type === "seller" && country_code === "US" && subtype === null;

/** The profile whose reports count: the one connected before if it is still eligible, else the first eligible one listed. */
export function chooseProfile(profiles: readonly Profile[], before: string | null): Profile | null {
  const eligible = profiles.filter(isEligible);
  return eligible.find(({ profile_id }) => profile_id === before) ?? eligible[0] ?? null;
}
