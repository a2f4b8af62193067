import type { Acting } from "@tributary/runtime/acting";
import { conflict, tryLater, unprocessable } from "@tributary/runtime/refusal";
import { amazon } from "../amazon/amazon.ts";
import { AmazonRefused, AmazonUnavailable, GrantLost } from "../amazon/failures.ts";
import type { Account } from "../amazon/tags.ts";
import { type Seller, seller } from "../seller.ts";
import { noUsProfile } from "./connect-seller.ts";
import { disconnect } from "./disconnect.ts";

/** Consents last a year; a grant lost later than that has run out rather than been taken back. */
const CONSENT_MS = 365 * 86_400_000;

/** A conversation with the retailer in a brand's name. When it shows that the grant is gone, the connection ends. */
export async function inTheBrandsName<T>(
  acting: Acting,
  brand_id: string,
  talk: () => Promise<T>,
): Promise<T> {
  try {
    return await talk();
  } catch (error) {
    if (error instanceof GrantLost) {
      const granted_at = await acting.use(amazon).tokens.grantedAt(brand_id);
      const old = granted_at !== null && Date.parse(acting.now) - Date.parse(granted_at) >= CONSENT_MS;
      await disconnect(acting, brand_id, old ? "expired" : "revoked");
    }
    throw error;
  }
}

/** The same for somebody who waits for an answer: failures of the retailer become refusals in plain words. */
export async function answering<T>(acting: Acting, brand_id: string, talk: () => Promise<T>): Promise<T> {
  try {
    return await inTheBrandsName(acting, brand_id, talk);
  } catch (error) {
    if (error instanceof GrantLost)
      throw conflict(
        "amazon_disconnected",
        "The connection to Amazon was lost. Please connect your Amazon account again.",
      );
    if (error instanceof AmazonUnavailable) {
      acting.log.warn({ err: error, brand_id }, "Amazon is unavailable");
      throw tryLater("amazon_unavailable", "Amazon does not answer at the moment", error.retry_after_seconds);
    }
    if (error instanceof AmazonRefused) {
      acting.log.warn({ err: error, brand_id }, "Amazon refused");
      throw unprocessable("amazon_refused", error.details || "Amazon refused the request");
    }
    throw error;
  }
}

/** The brand's connected account; refuses in the words the screens expect when there is none. */
export async function accountOf(
  acting: Acting,
  brand_id: string,
): Promise<Account & { readonly state: Seller }> {
  const { state } = await acting.read({ state: seller.at(brand_id) });
  if (state.connected && state.profile_id) return { brand_id, profile_id: state.profile_id, state };
  if (state.reason === "no_us_profile") throw noUsProfile();
  throw conflict(
    "amazon_not_connected",
    "Amazon connection was not successful. Please try connecting your Amazon account again.",
  );
}
