import { brandId, creatorId, userId } from "@tributary/contracts/ids";
import { Caller } from "@tributary/runtime/caller";
import type { Documents } from "@tributary/runtime/read-models/documents";
import type { ReadModel } from "@tributary/runtime/read-models/read-model";
import { z } from "zod";
import { accounts } from "./read-models/accounts.ts";
import { profiles } from "./read-models/profiles.ts";

/** A caller as identity knows it, and whether the account may still be used. The address comes from the token instead. */
export const KnownCaller = Caller.omit({ email: true }).extend({ disabled: z.boolean() });
export type KnownCaller = z.infer<typeof KnownCaller>;

/** Where the gateway looks a caller up by uid; null when it hasn't heard all there may be to know of this one. */
export type KnownCallers = (uid: string) => Promise<KnownCaller | null>;

/** Callers from the gateway's own fold of identity's events. An account without a brand or creator counts as not heard yet. */
export function foldedCallers(documents: <T>(of: ReadModel<T>) => Documents<T>): KnownCallers {
  return async (uid) => {
    const account = await documents(accounts).get(userId(uid));
    if (!account) return null;
    const { user_id, user_type, role, disabled } = account;
    const profile = await documents(profiles).get(
      user_type === "brand" ? brandId(user_id) : creatorId(user_id),
    );
    if (!profile) return null;
    return {
      uid,
      user_id,
      user_type,
      role,
      brand_id: user_type === "brand" ? profile.id : null,
      creator_id: user_type === "creator" ? profile.id : null,
      approved: profile.approved,
      disabled,
    };
  };
}
