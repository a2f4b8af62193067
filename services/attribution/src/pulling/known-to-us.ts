import type { Acting } from "@tributary/runtime/acting";
import type { Patience } from "../amazon/asking.ts";
import type { Account } from "../amazon/tags.ts";
import { learnAdvertisers } from "../connection/learn-advertisers.ts";
import { type LinkState, link } from "../link.ts";
import { type Seller, seller } from "../seller.ts";

export type ConnectedAccount = Account & { readonly state: Seller };

/** The links that the ad groups of a page may be, read at once. */
export async function linksOf(
  acting: Acting,
  lines: readonly { readonly adgroup_id: string | null }[],
): Promise<ReadonlyMap<string, LinkState>> {
  const ids = [...new Set(lines.map(({ adgroup_id }) => adgroup_id))].filter((id) => id !== null);
  const { links } = await acting.read({ links: ids.map((id) => link.at(id)) });
  return new Map(ids.map((id, index) => [id, links[index]!]));
}

/** The profile's advertisers, asked for when they are not known yet. */
export async function advertisersOf(
  acting: Acting,
  account: ConnectedAccount,
  patience: Patience,
): Promise<string[]> {
  const known = account.state.advertisers;
  const found = known.length > 0 ? known : await learnAdvertisers(acting, account, patience);
  return found.map(({ advertiser_id }) => advertiser_id);
}

/** The brand's account as it is now; null when it isn't connected. */
export async function connectedAccount(acting: Acting, brand_id: string): Promise<ConnectedAccount | null> {
  const { state } = await acting.read({ state: seller.at(brand_id) });
  return state.connected && state.profile_id ? { brand_id, profile_id: state.profile_id, state } : null;
}
