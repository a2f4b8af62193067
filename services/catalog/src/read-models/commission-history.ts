import {
  ProductCommissionChangeCancelled,
  ProductCommissionChanged,
  ProductListed,
} from "@tributary/contracts/events/catalog";
import { CommissionRequest } from "@tributary/contracts/http/catalog";
import { readModel, show } from "@tributary/runtime/read-models/read-model";
import { notFound } from "@tributary/runtime/refusal";
import { when } from "@tributary/runtime/stream";
import { z } from "zod";

const HistoryDoc = z.object({
  product_id: z.string(),
  brand_id: z.string(),
  requests: z.array(CommissionRequest),
});
export type HistoryDoc = z.infer<typeof HistoryDoc>;

const more = (doc: HistoryDoc | null, request: CommissionRequest): HistoryDoc | null =>
  doc && { ...doc, requests: [...doc.requests, request] };

/** Everything that was ever asked of a product's percent: who, when, and from which day. */
export const commissionHistory = readModel("commission-history", HistoryDoc, {
  on: [
    when(ProductListed, (_, { data: { product_id, brand_id, commission_percent, listed_on } }) => ({
      product_id,
      brand_id,
      requests: [
        {
          kind: "listed",
          percent: commission_percent,
          effective_from: null,
          requested_on: listed_on,
          set_by: null,
        },
      ],
    })),
    when(ProductCommissionChanged, (doc, { data: { percent, effective_from, requested_on, set_by } }) =>
      more(doc, { kind: "agreed", percent, effective_from, requested_on, set_by }),
    ),
    when(ProductCommissionChangeCancelled, (doc, { data: { requested_on, set_by } }) =>
      more(doc, { kind: "cancelled", percent: null, effective_from: null, requested_on, set_by }),
    ),
  ],
  key: ({ data }) => data.product_id,
  routes: {
    "GET /api/products/:id/commission-history": show<HistoryDoc>()({
      access: { as: "brand", owns: "brand_id" },
      input: z.object({ id: z.string() }),
      answer: async (documents, { id }) => {
        const doc = await documents.get(id);
        if (!doc) throw notFound("Product");
        return doc.requests;
      },
    }),
  },
});
