import type { DataOf } from "@tributary/contracts/event";
import { LinkCreated } from "@tributary/contracts/events/attribution";
import type { MadeLink } from "../../src/link.ts";
import { productPage } from "../../src/link-url.ts";

type Created = DataOf<typeof LinkCreated>;

/** What LinkCreated says of a link of creator c1 to product x1 of brand b1. */
export const created = (link_id: string, more: Partial<Created> = {}): Created => ({
  link_id,
  link_name: "Mug",
  brand_id: "b1",
  creator_id: "c1",
  partnership_id: "p1",
  product_id: "x1",
  creator_product_id: "cp1",
  asin: "B00MUG0001",
  profile_id: "901",
  advertiser_id: "77",
  publisher_id: "9",
  aa_campaignid: "tributary-b1-901",
  aa_adgroupid: link_id,
  aa_creativeid: `${link_id}-00000000`,
  url: `${productPage("B00MUG0001")}?maas=m&aa_adgroupid=${link_id}`,
  ...more,
});

/** The fact of it. */
export const linkCreated = (link_id: string, more: Partial<Created> = {}) =>
  LinkCreated(created(link_id, more));

/** The state of it. */
export const aLink = (link_id: string, more: Partial<MadeLink> = {}): MadeLink => ({
  ...created(link_id),
  status: "made",
  created_at: "2026-01-02T17:00:00Z",
  is_archived: false,
  unmasked: false,
  ...more,
});
