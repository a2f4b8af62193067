import { ProfileReleased, SellerDisconnected } from "@tributary/contracts/events/attribution";
import type { Acting } from "@tributary/runtime/acting";
import { type Outcome, to } from "@tributary/runtime/decision";
import { amazon } from "../amazon/amazon.ts";
import { profile } from "../profile.ts";
import { type Seller, seller } from "../seller.ts";

type Reason = NonNullable<Seller["reason"]>;

/**
 * Ends a brand's connection, once: its profile becomes free for another brand. The tokens go with it, unless the grant
 * stands and only the profile is missing: then a second look needs no new consent.
 */
export async function disconnect(acting: Acting, brand_id: string, reason: Reason): Promise<void> {
  const { before } = await acting.read({ before: seller.at(brand_id) });
  await acting.act(
    { state: seller.at(brand_id), claims: before.profile_id ? [profile.at(before.profile_id)] : [] },
    ({ state, claims }) => decideDisconnect(brand_id, state, claims[0]?.holder ?? null, reason),
  );
  if (reason !== "no_us_profile") await acting.use(amazon).tokens.drop(brand_id);
}

/** Nothing the second time: a brand that isn't connected can't be disconnected. */
export function decideDisconnect(
  brand_id: string,
  state: Seller,
  holder: string | null,
  reason: Reason,
): Outcome {
  if (!state.connected || !state.profile_id) return [];
  const ended = to(seller.at(brand_id), SellerDisconnected({ brand_id, reason }));
  if (holder !== brand_id) return [ended];
  const { profile_id } = state;
  return [ended, to(profile.at(profile_id), ProfileReleased({ profile_id, brand_id }))];
}
