import { dayAt } from "@tributary/contracts/dates";
import {
  PartnershipActivated,
  PartnershipEnded,
  PartnershipRejected,
  PartnershipRequested,
} from "@tributary/contracts/events/program";
import { type CreatorProducts, Partnership, PartnershipsQuery } from "@tributary/contracts/http/program";
import { readModel, type Showing, show } from "@tributary/runtime/read-models/read-model";
import { notFound } from "@tributary/runtime/refusal";
import { when } from "@tributary/runtime/stream";
import { z } from "zod";
import { shownGrants } from "./creator-products.ts";
import { withCreators } from "./with-creators.ts";

const PartnershipDoc = Partnership.extend({ requested_at: z.string() });
export type PartnershipDoc = z.infer<typeof PartnershipDoc>;

const terms = async (
  doc: PartnershipDoc | null | undefined,
  { documents, now }: Showing,
): Promise<CreatorProducts> => {
  if (!doc) throw notFound("Partnership");
  const items = await shownGrants(doc.id, documents, dayAt(now));
  return { partnership_id: doc.id, status: doc.status, items };
};

/** Who works with whom: a brand's applications and partners, a creator's brands. */
export const partnerships = readModel("partnerships", PartnershipDoc, {
  on: [
    when(PartnershipRequested, (_, { data: { partnership_id: id, ...data }, time }) => ({
      id,
      ...data,
      status: "pending",
      started_by: "creator",
      started_on: null,
      ended_on: null,
      ended_by: null,
      reason: null,
      requested_at: time,
    })),
    when(
      PartnershipActivated,
      (doc, { data: { started_on } }) => doc && { ...doc, status: "active", started_on },
    ),
    when(PartnershipRejected, (doc, { data: { reason } }) => doc && { ...doc, status: "rejected", reason }),
    when(
      PartnershipEnded,
      (doc, { data: { ended_on, by, reason } }) =>
        doc && { ...doc, status: "ended", ended_on, ended_by: by, reason },
    ),
  ],
  key: ({ data }) => data.partnership_id,
  indexes: [
    ["brand_id", "status", "requested_at"],
    ["creator_id", "status", "requested_at"],
  ],
  routes: {
    "GET /api/creator-products/:brandId": show<PartnershipDoc>()({
      access: { as: "creator", owns: "creator_id" },
      input: z.object({ brandId: z.string() }),
      answer: async (documents, { brandId: brand_id }, showing) => {
        const [doc] = await documents.where({ brand_id }).all();
        return terms(doc, showing);
      },
    }),
    "GET /api/creator-brand-partnerships/:id/products": show<PartnershipDoc>()({
      access: { as: "brand", owns: "brand_id" },
      input: z.object({ id: z.string() }),
      answer: async (documents, { id }, showing) => terms(await documents.get(id), showing),
    }),
    "GET /api/brands/:id/creators": show<PartnershipDoc>()({
      access: { as: "brand", owns: "brand_id" },
      input: PartnershipsQuery.extend({ id: z.string() }),
      answer: async (documents, { id: brand_id, status, after, limit }, { documents: other }) =>
        withCreators(
          await documents.where({ brand_id, status }).sort("-requested_at").page({ after, limit }),
          other,
        ),
    }),
  },
});
