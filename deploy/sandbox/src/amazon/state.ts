/** A profile as GET /v2/profiles shows it, and the one advertiser behind it. */
export interface Profile {
  profile_id: number;
  advertiser_id: string;
  country: string;
  currency: string;
  timezone: string;
  type: "seller" | "vendor" | "agency";
  sub_type: string | null;
  access: "edit" | "view";
  marketplace_id: string;
  account_id: string;
}

/** Something the shop sells; `price` is decimal text in dollars. */
export interface Product {
  asin: string;
  sku: string;
  title: string;
  price: string;
  availability: "IN_STOCK" | "IN_STOCK_SCARCE" | "OUT_OF_STOCK" | "PREORDER" | "LEADTIME" | "AVAILABLE_DATE";
  category: string;
  image_url: string | null;
}

/** An Amazon account that people can log in with: a company, its profiles and what it sells. */
export interface Seller {
  key: string;
  name: string;
  profiles: Profile[];
  products: Product[];
  /** Enrolled in the brand referral bonus. */
  brand_bonus: boolean;
  /** The owner withdraws the consent this many days after giving it. */
  revokes_after_days: number | null;
}

/** An authorization code: good once, for five minutes. */
export interface LoginCode {
  code: string;
  seller: string;
  client_id: string;
  redirect_uri: string;
  scope: string;
  challenge: string | null;
  challenge_method: "S256" | "plain";
  expires_at: string;
  used: boolean;
}

/** A consent, known by its refresh token. */
export interface LoginGrant {
  refresh_token: string;
  seller: string;
  client_id: string;
  expires_at: string;
  revoked_at: string | null;
}

export interface AccessToken {
  token: string;
  refresh_token: string;
  expires_at: string;
}

/** Somebody followed a tagged link; only the parts that reports need. */
export interface Click {
  at: string;
  shopper: string;
  advertiser_id: string;
  publisher: string;
  campaign_id: string;
  adgroup_id: string;
  creative_id: string;
  asin: string;
}

/** Somebody bought something, at `at`, which may lie in the future when it was scripted. */
export interface Order {
  id: string;
  at: string;
  shopper: string;
  asin: string;
  qty: number;
  price: string;
  return_at: string | null;
}

/** A row put into the report by hand; it stands as written in place of what the engine would say. */
export interface ScriptedRow {
  advertiser_id: string;
  campaign_id: string;
  publisher: string;
  adgroup_id: string;
  creative_id: string;
  date: string;
  clicks: number;
  promoted: string;
  total: string;
}

/** How soon and from how many clicks on the reports show something. */
export interface ReportSettings {
  click_lag_hours: number;
  conversion_lag_hours: number;
  mask_below: number;
  /** How far back a report may be asked for. */
  history_months: number;
}

/** `openapi`: as the vendor's document has it; `recorded`: as recorded answers have it. They differ. */
export type Dialect = "openapi" | "recorded";

export interface AmazonState {
  sellers: Map<string, Seller>;
  codes: Map<string, LoginCode>;
  grants: Map<string, LoginGrant>;
  access: Map<string, AccessToken>;
  /** Since when an advertiser is measured: its first tag call. */
  measured_since: Map<string, string>;
  clicks: Map<string, Click[]>;
  /** Which advertiser a campaign and which landing page a creative was first seen with. */
  campaign_owner: Map<string, string>;
  landing_of: Map<string, string>;
  orders: Map<string, Order>;
  scripted: Map<string, ScriptedRow>;
  settings: ReportSettings;
  dialect: Dialect;
  /** Why clicks were not measured, newest last. */
  problems: string[];
}

export type AmazonChange =
  | { sellers: Seller[] }
  | { products: Product[]; of: string }
  | { code: LoginCode }
  | { code_used: string; grant: LoginGrant; access: AccessToken }
  | { access: AccessToken }
  | { revoked: string; at: string }
  | { measured: string; at: string }
  | { clicks: Click; times: number }
  | { orders: Order[] }
  | { returned: string; at: string }
  | { scripted: ScriptedRow[] }
  | { settings: Partial<ReportSettings> }
  | { dialect: Dialect }
  | { problem: string };

/** The state before anything happened, with the personas people can log in as. */
export function emptyAmazon(personas: Seller[]): AmazonState {
  return {
    sellers: new Map(personas.map((seller) => [seller.key, structuredClone(seller)])),
    codes: new Map(),
    grants: new Map(),
    access: new Map(),
    measured_since: new Map(),
    clicks: new Map(),
    campaign_owner: new Map(),
    landing_of: new Map(),
    orders: new Map(),
    scripted: new Map(),
    settings: { click_lag_hours: 24, conversion_lag_hours: 48, mask_below: 10, history_months: 13 },
    dialect: "recorded",
    problems: [],
  };
}

function click(state: AmazonState, made: Click, times: number): void {
  const clicks = state.clicks.get(made.advertiser_id) ?? [];
  for (let n = 0; n < times; n++) clicks.push(made);
  state.clicks.set(made.advertiser_id, clicks);
  if (!state.campaign_owner.has(made.campaign_id))
    state.campaign_owner.set(made.campaign_id, made.advertiser_id);
  if (!state.landing_of.has(made.creative_id)) state.landing_of.set(made.creative_id, made.asin);
}

/** How one change alters what Amazon knows. */
export function applyAmazon(state: AmazonState, change: AmazonChange): void {
  if ("sellers" in change) for (const seller of change.sellers) state.sellers.set(seller.key, seller);
  else if ("products" in change) {
    const seller = state.sellers.get(change.of)!;
    for (const product of change.products) {
      const at = seller.products.findIndex(({ asin }) => asin === product.asin);
      if (at < 0) seller.products.push(product);
      else seller.products[at] = product;
    }
  } else if ("code" in change) state.codes.set(change.code.code, change.code);
  else if ("code_used" in change) {
    state.codes.get(change.code_used)!.used = true;
    state.grants.set(change.grant.refresh_token, change.grant);
    state.access.set(change.access.token, change.access);
  } else if ("access" in change) state.access.set(change.access.token, change.access);
  else if ("revoked" in change) state.grants.get(change.revoked)!.revoked_at = change.at;
  else if ("measured" in change) state.measured_since.set(change.measured, change.at);
  else if ("clicks" in change) click(state, change.clicks, change.times);
  else if ("orders" in change) for (const order of change.orders) state.orders.set(order.id, order);
  else if ("returned" in change) state.orders.get(change.returned)!.return_at = change.at;
  else if ("scripted" in change)
    for (const row of change.scripted) state.scripted.set(`${row.adgroup_id} ${row.date}`, row);
  else if ("settings" in change) Object.assign(state.settings, change.settings);
  else if ("dialect" in change) state.dialect = change.dialect;
  else state.problems = [...state.problems.slice(-999), change.problem];
}
