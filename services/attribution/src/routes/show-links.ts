import type { Caller } from "@tributary/runtime/caller";
import { ownedBy } from "@tributary/runtime/caller";
import { notFound } from "@tributary/runtime/refusal";
import { type Asking, route } from "@tributary/runtime/route";
import { z } from "zod";
import { type LinkDocument, links, NO_TOTALS, showLink } from "../read-models/links.ts";
import { metrics, showDay, totalsOf } from "../read-models/metrics.ts";

/** A link has two sides that may see it: its creator and its brand. A caller is one of them. */
const own = ({ creator_id, brand_id }: Caller) => (creator_id ? { creator_id } : { brand_id: brand_id! });

async function ownLink(asking: Asking, linkId: string): Promise<LinkDocument> {
  const link = await asking.documents(links).get(linkId);
  if (!link || !(ownedBy(link.creator_id, asking.caller) || ownedBy(link.brand_id, asking.caller)))
    throw notFound("Link");
  return link;
}

const listLinks = route("GET /api/links", {
  access: { as: ["creator", "brand"] },
  input: z.object({
    after: z.string().optional(),
    limit: z.coerce.number().int().min(1).max(200).default(50),
    archived: z.enum(["true", "false"]).optional(),
    brand_id: z.string().optional(),
    creator_id: z.string().optional(),
    product_id: z.string().optional(),
  }),
  handle: async ({ after, limit, archived, ...narrower }, asking) => {
    const { items, next } = await asking
      .documents(links)
      .where({ ...narrower, is_archived: archived === undefined ? undefined : archived === "true" })
      .where(own(asking.caller!))
      .sort("-created_at")
      .page({ after, limit });
    const totals = await totalsOf(
      asking.documents(metrics),
      items.map(({ link_id }) => link_id),
    );
    return { items: items.map((link) => showLink(link, totals.get(link.link_id) ?? NO_TOTALS)), next };
  },
});

const oneLink = route("GET /api/links/:linkId", {
  access: { as: ["creator", "brand"] },
  input: z.object({ linkId: z.string() }),
  handle: async ({ linkId }, asking) => {
    const link = await ownLink(asking, linkId);
    const totals = await totalsOf(asking.documents(metrics), [linkId]);
    return showLink(link, totals.get(linkId) ?? NO_TOTALS);
  },
});

const daysOfLink = route("GET /api/links/:linkId/metrics", {
  access: { as: ["creator", "brand"] },
  input: z.object({
    linkId: z.string(),
    after: z.string().optional(),
    limit: z.coerce.number().int().min(1).max(500).default(100),
  }),
  handle: async ({ linkId, after, limit }, asking) => {
    await ownLink(asking, linkId);
    const { items, next } = await asking
      .documents(metrics)
      .where({ link_id: linkId })
      .sort("-date")
      .page({ after, limit });
    return { items: items.map(showDay), next };
  },
});

/** Links with what the retailer has shown of them: of a creator their own, of a brand those to its products. */
export const showLinks = [listLinks, oneLink, daysOfLink];
