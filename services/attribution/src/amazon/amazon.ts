import { client, type Outside } from "@tributary/runtime/client";
import type { Profile, Tag } from "../seller.ts";
import { adsApi } from "./ads-api.ts";
import { BROWSER, type Patience } from "./asking.ts";
import { type Consents, consents } from "./consents.ts";
import { consentUrl, exchangeCode, refreshGrant } from "./login.ts";
import { fetchProducts, type ListedProduct } from "./product-metadata.ts";
import { fetchProfiles } from "./profiles.ts";
import { performanceReport, productsReport, type ReportPage, type ReportQuery } from "./report.ts";
import type { PerformanceLine, ProductLine } from "./report-lines.ts";
import { type SellerTokens, sellerTokens } from "./seller-tokens.ts";
import { amazonSettings } from "./settings.ts";
import { type Account, fetchAdvertisers, fetchTags } from "./tags.ts";
import { tokenCipher } from "./token-cipher.ts";

/** Everything that is asked of the retailer. Methods throw GrantLost, AmazonRefused or AmazonUnavailable. */
export interface Amazon {
  /** The address where the brand's seller is asked for consent. */
  askConsent(brand_id: string): Promise<string>;
  /** Trades a consent for tokens and keeps them; false when the state is not this brand's, was used, or is too old. */
  acceptConsent(brand_id: string, code: string, state: string): Promise<boolean>;
  readonly tokens: Pick<SellerTokens, "drop" | "grantedAt">;
  profiles(brand_id: string, patience?: Patience): Promise<Profile[]>;
  advertisers(account: Account, patience?: Patience): Promise<{ advertiser_id: string; name: string }[]>;
  tags(account: Account, is_macro: boolean, patience?: Patience): Promise<Tag[]>;
  products(account: Account, patience?: Patience): Promise<ListedProduct[]>;
  performance(query: ReportQuery): AsyncGenerator<ReportPage<PerformanceLine>>;
  productRows(query: ReportQuery): AsyncGenerator<ReportPage<ProductLine>>;
}

/** The retailer as this service reaches it. */
export const amazon = client("amazon", connectAmazon);

/** Builds the client from what it stands on. */
export function connectAmazon({ use, network, clock, random, sql, log, pause }: Outside): Amazon {
  const settings = use(amazonSettings);
  const line = { network, pause, log };
  const cipher = tokenCipher(settings.TOKEN_KEY, random);
  const underWay: Consents = consents(sql, clock, random, cipher);
  const tokens = sellerTokens(sql, clock, cipher, (refresh) =>
    refreshGrant(settings, line, refresh, BROWSER),
  );
  const ask = adsApi(settings, line, tokens);
  return {
    tokens,
    async askConsent(brand_id) {
      const { state, verifier } = await underWay.begin(brand_id);
      return consentUrl(settings, state, verifier);
    },
    async acceptConsent(brand_id, code, state) {
      const verifier = await underWay.redeem(state, brand_id);
      if (verifier === null) return false;
      await tokens.keep(brand_id, await exchangeCode(settings, line, code, verifier, BROWSER));
      return true;
    },
    profiles: (brand_id, patience = BROWSER) => fetchProfiles(ask, brand_id, patience),
    advertisers: (account, patience = BROWSER) => fetchAdvertisers(ask, account, patience),
    tags: (account, is_macro, patience = BROWSER) => fetchTags(ask, account, is_macro, patience),
    products: (account, patience = BROWSER) => fetchProducts(ask, account, patience),
    performance: (query) => performanceReport(ask, query),
    productRows: (query) => productsReport(ask, query),
  };
}
