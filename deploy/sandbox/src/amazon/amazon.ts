import { type AnyPartner, partner } from "../core/partner.ts";
import { amazonControl } from "./amazon-control.ts";
import { adsBody } from "./errors.ts";
import { consent } from "./login-consent.ts";
import { tokens } from "./login-token.ts";
import { personas } from "./personas.ts";
import { productMetadata } from "./product-metadata.ts";
import { profiles } from "./profiles.ts";
import { report } from "./report.ts";
import { shop } from "./shop.ts";
import { sorryPage } from "./shop-pages.ts";
import { type AmazonChange, type AmazonState, applyAmazon, emptyAmazon } from "./state.ts";
import { attributionSetup } from "./tags.ts";

function errorBody(status: number, message: string, path: string): unknown {
  if (path.startsWith("/shop")) return sorryPage(message);
  if (path.startsWith("/amazon-ads")) return adsBody(status, message);
  return { error: status === 429 ? "slow_down" : "server_error", error_description: message };
}

/** Amazon as sellers, advertisers and shoppers meet it: the login, the Ads API and the shop share one memory. */
export const amazon = partner<AmazonState, AmazonChange>({
  name: "amazon",
  prefixes: ["/amazon/", "/amazon-ads/", "/shop/"],
  initial: () => emptyAmazon(personas),
  apply: applyAmazon,
  routes(app, ctx) {
    consent(app, ctx);
    tokens(app, ctx);
    profiles(app, ctx);
    attributionSetup(app, ctx);
    report(app, ctx);
    productMetadata(app, ctx);
    shop(app, ctx);
    amazonControl(app, ctx);
  },
  errorBody,
}) as AnyPartner;
