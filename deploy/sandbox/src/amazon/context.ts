import type { Context } from "../core/partner.ts";
import type { AmazonChange, AmazonState, Product, Profile, Seller } from "./state.ts";

/** What every Amazon route works with. */
export type AmazonContext = Context<AmazonState, AmazonChange>;

/** The seller and profile of an advertiser id. */
export function byAdvertiser(
  state: AmazonState,
  advertiserId: string,
): { seller: Seller; profile: Profile } | undefined {
  for (const seller of state.sellers.values()) {
    const profile = seller.profiles.find(({ advertiser_id }) => advertiser_id === advertiserId);
    if (profile) return { seller, profile };
  }
  return undefined;
}

/** The product with an ASIN and who sells it. */
export function byAsin(state: AmazonState, asin: string): { seller: Seller; product: Product } | undefined {
  for (const seller of state.sellers.values()) {
    const product = seller.products.find((sold) => sold.asin === asin);
    if (product) return { seller, product };
  }
  return undefined;
}
