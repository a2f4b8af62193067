import { createHash } from "node:crypto";

/** The ids under which the retailer reports a link's sales; all three are ours. */
export interface TagIds {
  readonly aa_campaignid: string;
  readonly aa_adgroupid: string;
  readonly aa_creativeid: string;
}

/** What an id in a tag may not hold, escaped or not, nor may it be longer than 255 characters. */
export const isTagId = (value: string): boolean =>
  value.length > 0 && value.length <= 255 && !/[/&=#?+'"%$]/.test(value);

/** The retailer's own address, as it stands in every recorded link. */
const SHOP = "https://www.amazon.com";

/** The shop's page of a product. */
export const productPage = (asin: string): string => `${SHOP}/dp/${encodeURIComponent(asin)}`;

/** The same page at the shop we are set to send shoppers to; another than the retailer's own only beside a sandbox. */
export const atShop = (url: string, shop: string): string =>
  url.startsWith(`${SHOP}/`) ? shop.replace(/\/$/, "") + url.slice(SHOP.length) : url;

/**
 * The product page with the attribution tag. The tag's query is parsed and its three ids are set, never replaced as text,
 * for the spelling of the placeholders varies. What an earlier tag left on the page's address (`ref_`, `tag` and the tag's own
 * parameters) goes: two tags on one address would pay twice or nobody.
 */
export function taggedUrl(page: string, aa_tag: string, ids: TagIds): string {
  for (const [name, value] of Object.entries(ids)) {
    if (!isTagId(value)) throw new Error(`${name} "${value}" may not stand in an attribution tag`);
  }
  const url = new URL(page);
  const tag = new URLSearchParams(aa_tag.slice(aa_tag.indexOf("?") + 1));
  for (const name of ["ref_", "tag", "maas", ...Object.keys(ids), ...tag.keys()])
    url.searchParams.delete(name);
  for (const [name, value] of Object.entries(ids)) tag.set(name, value);
  for (const [name, value] of tag) url.searchParams.append(name, value);
  return url.href;
}

/** One campaign per brand and profile, for a campaign id may not be reused across advertisers. */
export const campaignId = (brand_id: string, profile_id: string): string =>
  `tributary-${brand_id}-${profile_id}`;

/** The link and its landing page: a tag belongs to one page for ever. */
export const creativeId = (link_id: string, page: string): string =>
  `${link_id}-${createHash("sha256").update(page).digest("hex").slice(0, 8)}`;
