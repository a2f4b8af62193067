import type { ExplainNode } from "@tributary/contracts/http/explain";
import { ownedBy } from "@tributary/runtime/caller";
import { notFound } from "@tributary/runtime/refusal";
import { route } from "@tributary/runtime/route";
import { z } from "zod";
import { explainRevision, metricRevisions } from "../read-models/metric-revisions.ts";

/** The last level of an explanation: what the retailer reported, in one revision, for its brand and its creator. */
export const explainMetric = route("GET /api/explain/metric/:id", {
  access: { as: ["brand", "creator"] },
  input: z.object({ id: z.string() }),
  handle: async ({ id }, asking): Promise<ExplainNode> => {
    const found = await asking.documents(metricRevisions).get(id);
    const { caller } = asking;
    if (!found || !(ownedBy(found.metric.brand_id, caller) || ownedBy(found.metric.creator_id, caller)))
      throw notFound("Metric");
    return explainRevision(found);
  },
});
