import { isDeepStrictEqual } from "node:util";
import { ProfileClaimed, ProfileReleased, SellerConnected } from "@tributary/contracts/events/attribution";
import type { Acting } from "@tributary/runtime/acting";
import { type Outcome, to } from "@tributary/runtime/decision";
import { conflict, type Refusal, unprocessable } from "@tributary/runtime/refusal";
import { amazon } from "../amazon/amazon.ts";
import { chooseProfile } from "../amazon/profiles.ts";
import { profile } from "../profile.ts";
import { type Profile, type Seller, seller } from "../seller.ts";
import { disconnect } from "./disconnect.ts";

/** The account has no profile of a US seller; the text is what the screens look for. */
export const noUsProfile = (): Refusal =>
  unprocessable("no_us_profile", "No eligible US seller profiles found");

/**
 * Looks at the profiles the brand's grant reaches and connects the one that counts. Without an eligible one a standing
 * connection ends; a profile that another brand holds is refused, and the tokens of a connection that never stood are dropped.
 */
export async function connectSeller(acting: Acting, brand_id: string): Promise<readonly Profile[]> {
  const { tokens, profiles: fetch } = acting.use(amazon);
  const profiles = await fetch(brand_id);
  const { before } = await acting.read({ before: seller.at(brand_id) });
  const chosen = chooseProfile(profiles, before.profile_id);
  if (!chosen) {
    await disconnect(acting, brand_id, "no_us_profile");
    throw noUsProfile();
  }
  const { profile_id } = chosen;
  const granted_at = (await tokens.grantedAt(brand_id)) ?? acting.now;
  const left = before.profile_id && before.profile_id !== profile_id ? [profile.at(before.profile_id)] : [];
  const { reads } = await acting.act(
    { state: seller.at(brand_id), claim: profile.at(profile_id), left },
    ({ state, claim, left: [leaving] }) =>
      decideConnect(
        { brand_id, profile_id, profiles, granted_at },
        state,
        claim.holder,
        leaving?.holder ?? null,
      ),
  );
  if (takenFrom(reads.claim.holder, brand_id)) {
    if (!before.connected) await tokens.drop(brand_id);
    throw conflict("profile_taken", "This Amazon seller account is already connected to another brand");
  }
  return profiles;
}

const takenFrom = (holder: string | null, brand_id: string): boolean =>
  holder !== null && holder !== brand_id;

interface Found {
  readonly brand_id: string;
  readonly profile_id: string;
  readonly profiles: Profile[];
  readonly granted_at: string;
}

/** Nothing when another brand holds the profile, and nothing when all of it is known already. */
export function decideConnect(
  found: Found,
  state: Seller,
  holder: string | null,
  leaving: string | null,
): Outcome {
  const { brand_id, profile_id, profiles } = found;
  if (takenFrom(holder, brand_id)) return [];
  const known =
    state.connected && state.profile_id === profile_id && isDeepStrictEqual(state.profiles, profiles);
  return [
    ...(known ? [] : [to(seller.at(brand_id), SellerConnected(found))]),
    ...(holder ? [] : [to(profile.at(profile_id), ProfileClaimed({ profile_id, brand_id }))]),
    ...(leaving === brand_id && state.profile_id
      ? [to(profile.at(state.profile_id), ProfileReleased({ profile_id: state.profile_id, brand_id }))]
      : []),
  ];
}
