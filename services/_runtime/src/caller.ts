import { z } from "zod";

/** Who is asking, as the gateway vouches for it. Services believe nothing else, whatever headers or bodies say. */
export const Caller = z.object({
  /** The identity provider's uid. */
  uid: z.string(),
  email: z.string().nullable(),
  /** Null for somebody who signed in and has no account with us yet. */
  user_id: z.string().nullable(),
  user_type: z.enum(["brand", "creator"]).nullable(),
  role: z.enum(["user", "admin"]),
  brand_id: z.string().nullable(),
  creator_id: z.string().nullable(),
  /** Only creators need approval; false for everybody else. */
  approved: z.boolean(),
});
export type Caller = z.infer<typeof Caller>;

/** `signed-in` needs a verified token and no account; `user` an account; `creator` includes creators not yet approved. */
export type Role = "public" | "signed-in" | "user" | "brand" | "creator" | "approved-creator" | "admin";

/** Whether a caller may come in at a door declared for these roles. */
export function admits(roles: readonly Role[], caller: Caller | null): boolean {
  return roles.some((role) => {
    if (role === "public") return true;
    if (!caller) return false;
    if (role === "signed-in") return true;
    if (role === "user") return caller.user_id !== null;
    if (role === "brand") return caller.brand_id !== null;
    if (role === "creator") return caller.creator_id !== null;
    if (role === "approved-creator") return caller.creator_id !== null && caller.approved;
    return caller.role === "admin";
  });
}

/** Whether a thing that belongs to `owner` (a brand's, creator's or user's id) is the caller's own; admins own nothing. */
export const ownedBy = (owner: string | null | undefined, caller: Caller | null): boolean =>
  !!owner && !!caller && [caller.brand_id, caller.creator_id, caller.user_id, caller.uid].includes(owner);
