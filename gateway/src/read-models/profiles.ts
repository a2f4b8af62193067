import {
  BrandRegistered,
  CreatorApproved,
  CreatorRegistered,
  CreatorRejected,
} from "@tributary/contracts/events/identity";
import { readModel } from "@tributary/runtime/read-models/read-model";
import { when } from "@tributary/runtime/stream";
import { z } from "zod";

/** A brand or a creator, as far as a caller needs it; approval is a matter of creators only. */
const Profile = z.object({ id: z.string(), user_id: z.string(), approved: z.boolean() });
export type Profile = z.infer<typeof Profile>;

/** Brands and creators by their own id, which follows from the account's. */
export const profiles = readModel("profiles", Profile, {
  on: [
    when(BrandRegistered, (_, { data: { brand_id, user_id } }) => ({
      id: brand_id,
      user_id,
      approved: false,
    })),
    when(CreatorRegistered, (_, { data: { creator_id, user_id, approved } }) => ({
      id: creator_id,
      user_id,
      approved,
    })),
    when(CreatorApproved, (profile) => profile && { ...profile, approved: true }),
    when(CreatorRejected, (profile) => profile && { ...profile, approved: false }),
  ],
  key: ({ data }) => ("brand_id" in data ? data.brand_id : data.creator_id),
});
