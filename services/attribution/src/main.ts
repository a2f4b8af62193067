import { service } from "@tributary/runtime/service";
import { CONSENTS_TABLE } from "./amazon/consents.ts";
import { TOKENS_TABLE } from "./amazon/seller-tokens.ts";
import { amazonSettings } from "./amazon/settings.ts";
import { changeLink } from "./commands/change-link.ts";
import { createLink } from "./commands/create-link.ts";
import { prepareMeasuring } from "./effects/prepare-measuring.ts";
import { grants } from "./facts/grants.ts";
import { partnerships } from "./facts/partnerships.ts";
import { products } from "./facts/products.ts";
import { backfillLink } from "./jobs/backfill-link.ts";
import { beginDailyPulls } from "./jobs/begin-daily-pulls.ts";
import { dailyPull } from "./jobs/daily-pull.ts";
import { hourlyPull } from "./jobs/hourly-pull.ts";
import { links } from "./read-models/links.ts";
import { metricRevisions } from "./read-models/metric-revisions.ts";
import { metrics } from "./read-models/metrics.ts";
import { sellerProducts } from "./read-models/seller-products.ts";
import { sellers } from "./read-models/sellers.ts";
import { followLink } from "./redirect/follow-link.ts";
import { SALTS_TABLE } from "./redirect/visitors.ts";
import { acceptConsent } from "./routes/accept-consent.ts";
import { askConsent } from "./routes/ask-consent.ts";
import { explainMetric } from "./routes/explain-metric.ts";
import { getAdvertisers } from "./routes/get-advertisers.ts";
import { getProducts } from "./routes/get-products.ts";
import { getProfiles } from "./routes/get-profiles.ts";
import { getTags } from "./routes/get-tags.ts";
import { refreshReports } from "./routes/refresh-reports.ts";
import { searchBrandLogo } from "./routes/search-brand-logo.ts";
import { setConnected } from "./routes/set-connected.ts";
import { showLinks } from "./routes/show-links.ts";
import { syncStatus } from "./routes/sync-status.ts";
import { syncSettings } from "./settings.ts";

/** Everything that talks to the retailer: the seller's connection, links and the way through them, and what the reports say. */
export const attribution = service({
  name: "attribution",
  logs: ["attribution", "clicks"],
  commands: [createLink, changeLink],
  readModels: [sellers, sellerProducts, links, metrics, metricRevisions],
  facts: [partnerships, grants, products],
  effects: [prepareMeasuring],
  jobs: [beginDailyPulls, dailyPull, hourlyPull, backfillLink],
  routes: [
    askConsent,
    acceptConsent,
    setConnected,
    getProfiles,
    getAdvertisers,
    getProducts,
    ...getTags,
    searchBrandLogo,
    ...refreshReports,
    ...showLinks,
    followLink,
    syncStatus,
    explainMetric,
  ],
  settings: [amazonSettings, syncSettings],
  tables: [TOKENS_TABLE, CONSENTS_TABLE, SALTS_TABLE],
});
