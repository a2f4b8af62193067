import { z } from "zod";
import { eventsOf, personal } from "../event.ts";

const event = eventsOf("identity");

/** Somebody signed up with the identity provider and chose an account type. */
export const UserRegistered = event(
  "UserRegistered",
  z.object({
    user_id: z.string(),
    firebase_uid: z.string(),
    email: personal(z.string(), "user_id"),
    user_type: z.enum(["brand", "creator"]),
  }),
);

/** An operator gave or took the admin role. */
export const RoleSet = event("RoleSet", z.object({ user_id: z.string(), role: z.enum(["user", "admin"]) }));

/** The account may not be used any more. */
export const UserDisabled = event("UserDisabled", z.object({ user_id: z.string(), reason: z.string() }));

export const BrandRegistered = event(
  "BrandRegistered",
  z.object({
    brand_id: z.string(),
    user_id: z.string(),
    brand_name: z.string(),
    website: z.string(),
    product_category: z.string(),
  }),
);

export const BrandLogoSet = event("BrandLogoSet", z.object({ brand_id: z.string(), logo_url: z.string() }));

/** `approved` is the server's decision: true only when the named brand has a visible program. */
export const CreatorRegistered = event(
  "CreatorRegistered",
  z.object({
    creator_id: z.string(),
    user_id: z.string(),
    name: personal(z.string(), "creator_id"),
    product_categories: z.array(z.string()),
    approved: z.boolean(),
    from_program_brand_id: z.string().nullable(),
  }),
);

export const CreatorChannelAdded = event(
  "CreatorChannelAdded",
  z.object({
    creator_id: z.string(),
    channel_id: z.string(),
    channel: z.string(),
    channel_link: personal(z.string(), "creator_id"),
  }),
);

/** Reach is the upper bound of the range the creator chose, in followers. */
export const CreatorReachSet = event(
  "CreatorReachSet",
  z.object({ creator_id: z.string(), total_reach: z.int() }),
);

export const CreatorApproved = event("CreatorApproved", z.object({ creator_id: z.string(), by: z.string() }));

export const CreatorRejected = event(
  "CreatorRejected",
  z.object({ creator_id: z.string(), by: z.string(), reason: z.string() }),
);
