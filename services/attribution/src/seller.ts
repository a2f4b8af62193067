import type { DataOf } from "@tributary/contracts/event";
import {
  AdvertisersFound,
  SellerConnected,
  SellerDisconnected,
  TagsIssued,
} from "@tributary/contracts/events/attribution";
import { stream, when } from "@tributary/runtime/stream";

export type Profile = DataOf<typeof SellerConnected>["profiles"][number];
export type Tag = DataOf<typeof TagsIssued>["tags"][number];

/** A brand's connection to the retailer. `ever` stays true: a brand that was connected once is reported on every day. */
export interface Seller {
  readonly ever: boolean;
  readonly connected: boolean;
  readonly reason: DataOf<typeof SellerDisconnected>["reason"] | null;
  readonly profile_id: string | null;
  readonly profiles: readonly Profile[];
  readonly advertisers: readonly { advertiser_id: string; name: string }[];
  readonly tags: { readonly macro: readonly Tag[] | null; readonly static: readonly Tag[] | null };
}

const never: Seller = {
  ever: false,
  connected: false,
  reason: null,
  profile_id: null,
  profiles: [],
  advertisers: [],
  tags: { macro: null, static: null },
};

/** One per brand. Advertisers and tags belong to a profile: another profile begins without them. */
export const seller = stream("seller", never, [
  when(SellerConnected, (state, { data }) => ({
    ...(state.profile_id === data.profile_id ? state : never),
    ever: true,
    connected: true,
    reason: null,
    profile_id: data.profile_id,
    profiles: data.profiles,
  })),
  when(SellerDisconnected, (state, { data }) => ({ ...state, connected: false, reason: data.reason })),
  when(AdvertisersFound, (state, { data }) => ({ ...state, advertisers: data.advertisers })),
  when(TagsIssued, (state, { data }) => ({
    ...state,
    tags: { ...state.tags, [data.is_macro ? "macro" : "static"]: data.tags },
  })),
]);
