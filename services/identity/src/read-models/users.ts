import { RoleSet, UserDisabled, UserRegistered } from "@tributary/contracts/events/identity";
import { UserRole, UserType, type UserTypeAnswer } from "@tributary/contracts/http/identity";
import { brandId, creatorId, userId } from "@tributary/contracts/ids";
import type { Documents } from "@tributary/runtime/read-models/documents";
import { readModel, type Showing, show } from "@tributary/runtime/read-models/read-model";
import { notFound } from "@tributary/runtime/refusal";
import { when } from "@tributary/runtime/stream";
import { z } from "zod";
import { brands } from "./brands.ts";
import { creators } from "./creators.ts";

const UserDoc = z.object({
  user_id: z.string(),
  firebase_uid: z.string(),
  email: z.string(),
  user_type: UserType,
  role: UserRole,
  disabled: z.boolean(),
});
export type UserDoc = z.infer<typeof UserDoc>;

/** Who somebody is, with the brand or creator that belongs to the account; ids follow from the account's own. */
async function whoIs(documents: Documents<UserDoc>, uid: string, other: Showing["documents"]) {
  const account = await documents.get(userId(uid));
  const brand = account?.user_type === "brand" ? await other(brands).get(brandId(account.user_id)) : null;
  const creator =
    account?.user_type === "creator" ? await other(creators).get(creatorId(account.user_id)) : null;
  return {
    account,
    brand: brand?.profile ? { ...brand, ...brand.profile } : null,
    creator: creator?.profile ? { ...creator, ...creator.profile } : null,
  };
}

/** The accounts: who may come in, and as what. */
export const users = readModel("users", UserDoc, {
  on: [
    when(UserRegistered, (_, { data }) => ({ ...data, role: "user", disabled: false })),
    when(RoleSet, (doc, { data: { role } }) => doc && { ...doc, role }),
    when(UserDisabled, (doc) => doc && { ...doc, disabled: true }),
  ],
  key: ({ data }) => data.user_id,
  routes: {
    "GET /api/user-type": show<UserDoc>()({
      access: { as: "signed-in", owns: "firebase_uid" },
      answer: async (documents, _, { caller, documents: other }): Promise<UserTypeAnswer> => {
        const { account, brand, creator } = await whoIs(documents, caller!.uid, other);
        return {
          isBrand: account?.user_type === "brand",
          isCreator: account?.user_type === "creator",
          isCreatorApproved: creator?.approval === "approved",
          role: account?.role ?? "user",
          userId: account?.user_id ?? null,
          brandId: brand?.brand_id ?? null,
          brandName: brand?.brand_name ?? null,
          amazonConnected: brand?.amazon_connected ?? false,
          creatorId: creator?.creator_id ?? null,
          creatorName: creator?.name ?? null,
          creatorApproval: creator?.approval ?? null,
        };
      },
    }),
    /** What the gateway asks for a caller it has not heard of yet; it never forwards /internal. */
    "GET /internal/callers/:uid": show<UserDoc>()({
      access: {
        as: "public",
        fields: [
          "uid",
          "email",
          "user_id",
          "user_type",
          "role",
          "brand_id",
          "creator_id",
          "approved",
          "disabled",
        ],
      },
      input: z.object({ uid: z.string() }),
      answer: async (documents, { uid }, { documents: other }) => {
        const { account, brand, creator } = await whoIs(documents, uid, other);
        if (!account) throw notFound("Account");
        return {
          uid,
          email: account.email,
          user_id: account.user_id,
          user_type: account.user_type,
          role: account.role,
          brand_id: brand?.brand_id ?? null,
          creator_id: creator?.creator_id ?? null,
          approved: creator?.approval === "approved",
          disabled: account.disabled,
        };
      },
    }),
  },
});
