import {
  LinkArchived,
  LinkCreated,
  LinkRenamed,
  LinkUnarchived,
  LinkUnmasked,
} from "@tributary/contracts/events/attribution";
import { Link, type LinkTotals } from "@tributary/contracts/http/attribution";
import { NO_CENTS } from "@tributary/contracts/money";
import { readModel } from "@tributary/runtime/read-models/read-model";
import { when } from "@tributary/runtime/stream";
import { z } from "zod";

const LinkDocument = LinkCreated.schema.extend({
  created_at: z.string(),
  is_archived: z.boolean(),
  masked: z.boolean(),
});
export type LinkDocument = z.infer<typeof LinkDocument>;

const changed = (link: LinkDocument | null, change: Partial<LinkDocument>): LinkDocument | null =>
  link && { ...link, ...change };

/** Every link, archived ones too. */
export const links = readModel("links", LinkDocument, {
  on: [
    when(LinkCreated, (_, { data, time }) => ({
      ...data,
      created_at: time,
      is_archived: false,
      masked: true,
    })),
    when(LinkRenamed, (link, { data }) => changed(link, { link_name: data.link_name })),
    when(LinkArchived, (link) => changed(link, { is_archived: true })),
    when(LinkUnarchived, (link) => changed(link, { is_archived: false })),
    when(LinkUnmasked, (link) => changed(link, { masked: false })),
  ],
  key: ({ data }) => data.link_id,
  indexes: [["creator_id", "created_at"], ["brand_id", "created_at"], ["created_at"]],
});

/** What the retailer has shown of a link that it has shown nothing of. */
export const NO_TOTALS: LinkTotals = {
  click_throughs: 0,
  detail_page_views_14d: 0,
  add_to_cart_14d: 0,
  purchases_14d: 0,
  units_sold_14d: 0,
  attributed_sales_14d: NO_CENTS,
  total_attributed_sales_14d: NO_CENTS,
};

/** A link as its creator and its brand see it, ready for the wire. */
export function showLink(
  link: Omit<LinkDocument, "masked"> & ({ masked: boolean } | { unmasked: boolean }),
  totals: LinkTotals,
): z.input<typeof Link> {
  const masked = "masked" in link ? link.masked : !link.unmasked;
  return z.encode(Link, { ...link, masked, short_path: `/r/${link.link_id}`, totals });
}
