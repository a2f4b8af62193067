import {
  CreatorApproved,
  CreatorChannelAdded,
  CreatorReachSet,
  CreatorRegistered,
  CreatorRejected,
  UserRegistered,
} from "@tributary/contracts/events/identity";
import {
  AdminCreatorsQuery,
  Approval,
  Creator,
  type PublicCreator,
} from "@tributary/contracts/http/identity";
import { creatorId } from "@tributary/contracts/ids";
import { readModel, show } from "@tributary/runtime/read-models/read-model";
import { notFound } from "@tributary/runtime/refusal";
import { when } from "@tributary/runtime/stream";
import { z } from "zod";

/** `email` is the account's, everything else the creator's own; the account is known before there is a creator. */
const CreatorDoc = z.object({
  creator_id: z.string(),
  email: z.string().nullable(),
  approval: Approval.nullable(),
  registered_at: z.string().nullable(),
  profile: Creator.pick({
    user_id: true,
    name: true,
    product_categories: true,
    total_reach: true,
    rejection_reason: true,
    channels: true,
  }).nullable(),
});
export type CreatorDoc = z.infer<typeof CreatorDoc>;
type Profile = NonNullable<CreatorDoc["profile"]>;

const changed = (
  doc: CreatorDoc | null,
  change: (profile: Profile) => Partial<Profile>,
): CreatorDoc | null =>
  doc?.profile ? { ...doc, profile: { ...doc.profile, ...change(doc.profile) } } : doc;

const whole = (doc: CreatorDoc | null): Creator => {
  if (!doc?.profile) throw notFound("Creator");
  const approval = doc.approval ?? "pending";
  const approved = approval === "approved";
  return { id: doc.creator_id, ...doc.profile, approved, approval, profile_image_url: null };
};

const open = (doc: CreatorDoc | null): PublicCreator => {
  const { id, name, product_categories, total_reach, profile_image_url, channels } = whole(doc);
  return { id, name, product_categories, total_reach, profile_image_url, channels };
};

/** Creators with their channels, reach and approval. */
export const creators = readModel("creators", CreatorDoc, {
  on: [
    when(UserRegistered, (doc, { data }) => ({
      creator_id: creatorId(data.user_id),
      approval: null,
      registered_at: null,
      profile: null,
      ...doc,
      email: data.email,
    })),
    when(CreatorRegistered, (doc, { data, time }) => ({
      creator_id: data.creator_id,
      email: doc?.email ?? null,
      approval: data.approved ? "approved" : "pending",
      registered_at: time,
      profile: {
        user_id: data.user_id,
        name: data.name,
        product_categories: data.product_categories,
        total_reach: null,
        rejection_reason: null,
        channels: [],
      },
    })),
    when(CreatorChannelAdded, (doc, { data: { channel_id: id, ...channel } }) =>
      changed(doc, ({ channels }) => ({ channels: [...channels, { id, ...channel }] })),
    ),
    when(CreatorReachSet, (doc, { data: { total_reach } }) => changed(doc, () => ({ total_reach }))),
    when(CreatorApproved, (doc) => {
      const known = changed(doc, () => ({ rejection_reason: null }));
      return known && { ...known, approval: "approved" };
    }),
    when(CreatorRejected, (doc, { data: { reason } }) => {
      const known = changed(doc, () => ({ rejection_reason: reason }));
      return known && { ...known, approval: "rejected" };
    }),
  ],
  key: (event) => {
    if (event.type !== "UserRegistered") return event.data.creator_id;
    return event.data.user_type === "creator" ? creatorId(event.data.user_id) : null;
  },
  indexes: [["approval", "registered_at"]],
  routes: {
    "GET /api/creators/me": show<CreatorDoc>()({
      access: { as: "creator", owns: "creator_id" },
      answer: async (documents, _, { caller }) => whole(await documents.get(caller!.creator_id!)),
    }),
    "GET /api/creators/:id/public": show<CreatorDoc>()({
      access: { as: ["brand", "creator", "admin"] },
      input: z.object({ id: z.string() }),
      answer: async (documents, { id }) => open(await documents.get(id)),
    }),
    "GET /api/admin/creators": show<CreatorDoc>()({
      access: { as: "admin" },
      input: AdminCreatorsQuery,
      answer: async (documents, { approval, approved, after, limit }) => {
        const asked = approval ?? (approved && (approved === "true" ? "approved" : "pending"));
        const page = await documents
          .where({ approval: asked ?? { in: Approval.options } })
          .sort("registered_at")
          .page({ after, limit });
        return {
          items: page.items.map((doc) => ({
            ...whole(doc),
            email: doc.email,
            registered_at: doc.registered_at,
          })),
          next: page.next,
        };
      },
    }),
  },
});
