import type { AmazonContext } from "./context.ts";
import { byAdvertiser } from "./context.ts";
import type { Click } from "./state.ts";

/** Characters that break a tag's values, escaped or not. */
const FORBIDDEN = /[/&=#?+'"%$]/;

/** The measurable parts of a tagged link, or why it is not one. */
export function readLink(link: string): Omit<Click, "at" | "shopper"> | { problem: string } {
  if (!URL.canParse(link, "http://shop")) return { problem: `not a URL: ${link}` };
  const { pathname, searchParams } = new URL(link, "http://shop");
  const asin = /\/dp\/([A-Z0-9]{10})(?:\/|$)/.exec(pathname)?.[1];
  if (!asin) return { problem: `no product page: ${pathname}` };
  const maas = searchParams.get("maas");
  if (maas === null) return { problem: "no tag" };
  const tag = /^maas_adg_api_(\d+)_(?:static|macro)_(\d+)_(\d+)$/.exec(maas);
  if (!tag) return { problem: `not a tag: maas=${maas}` };
  if (searchParams.get("ref_") !== "aa_maas" || searchParams.get("tag") !== "maas")
    return { problem: "ref_ must be aa_maas and tag must be maas" };
  const values = ["aa_campaignid", "aa_adgroupid", "aa_creativeid"].map((name) => searchParams.getAll(name));
  for (const [index, sent] of values.entries()) {
    const name = ["aa_campaignid", "aa_adgroupid", "aa_creativeid"][index];
    const value = sent[0];
    if (sent.length !== 1 || !value) return { problem: `${name} must be there once` };
    if (value.length > 255 || FORBIDDEN.test(value))
      return { problem: `${name} is too long or holds a forbidden character` };
    if (value.startsWith("{")) return { problem: `${name} still holds its placeholder` };
  }
  return {
    advertiser_id: tag[1]!,
    publisher: tag[2]!,
    campaign_id: values[0]![0]!,
    adgroup_id: values[1]![0]!,
    creative_id: values[2]![0]!,
    asin,
  };
}

/** Counts a click on a link if Amazon would measure it; otherwise notes why not and answers that. */
export function recordClick(ctx: AmazonContext, link: string, shopper: string, times = 1): string | null {
  const read = readLink(link);
  const problem = "problem" in read ? read.problem : notMeasured(ctx, read);
  if (problem !== null) {
    if (problem !== "no tag") ctx.record({ problem: `${ctx.now().toISOString()} ${problem}` });
    return problem;
  }
  if ("problem" in read) return read.problem;
  ctx.record({ clicks: { at: ctx.now().toISOString(), shopper, ...read }, times });
  return null;
}

function notMeasured(ctx: AmazonContext, click: Omit<Click, "at" | "shopper">): string | null {
  const { state } = ctx;
  const { advertiser_id, campaign_id, creative_id, asin } = click;
  if (!byAdvertiser(state, advertiser_id)) return `no advertiser ${advertiser_id}`;
  if (!state.measured_since.has(advertiser_id))
    return `no tag was ever fetched for advertiser ${advertiser_id}`;
  if ((state.campaign_owner.get(campaign_id) ?? advertiser_id) !== advertiser_id)
    return `campaign ${campaign_id} belongs to another advertiser`;
  if ((state.landing_of.get(creative_id) ?? asin) !== asin)
    return `creative ${creative_id} already leads to ${state.landing_of.get(creative_id)}`;
  return null;
}
