import { RouteTable } from "./route-table.ts";

/** Who can answer a request: a service, the gateway itself, or the partners' sandbox where there is one. */
export type Owner =
  | "identity"
  | "catalog"
  | "program"
  | "attribution"
  | "earnings"
  | "billing"
  | "landing"
  | "gateway"
  | "sandbox";

/**
 * Which part of the product answers which path. `:name` is one segment, `**` everything below (and the path itself), `*` any
 * method; the closest fit wins. Nothing under /internal is listed, so nothing there can be reached from outside.
 */
const ROUTES = {
  gateway: ["GET /api/version", "GET /api/brands/me", "GET /api/explain/:kind/:id"],
  identity: [
    "* /api/users/**",
    "GET /api/user-type",
    "POST /api/brands",
    "PATCH /api/brands/:id/logo",
    "* /api/creators/**",
    "* /api/creator-channels/**",
    "* /api/admin/creators/**",
    "* /api/admin/users/**",
    "GET /public/api/brands/**",
  ],
  attribution: [
    "GET /r/:link_id",
    "* /api/amazon/**",
    "PATCH /api/brands/:id/connect",
    "* /api/links/**",
    "* /api/sync/**",
  ],
  catalog: ["* /api/products/**", "GET /public/api/products/**"],
  program: [
    "GET /api/brands",
    "* /api/brands/:id/creators/**",
    "* /api/affiliate-programs/**",
    "* /api/creator-brand-partnerships/**",
    "* /api/creator-products/**",
    "* /api/referrals/**",
    "* /api/brand-referral-settings/**",
  ],
  earnings: ["* /api/restatements/**"],
  billing: [
    "* /api/billing/**",
    "* /api/earnings/**",
    "* /api/payment-methods/**",
    "* /api/creator-payment-methods/**",
    "* /api/creator-payment-destinations/**",
    "POST /api/webhooks/**",
  ],
  landing: [
    "* /lp/**",
    "* /api/landing-pages/**",
    "POST /api/landing-pages/:id/submit-email",
    "POST /api/landing-pages/:id/track-click",
    "* /api/landing-page-sections/**",
    "* /api/blog-posts/**",
  ],
  sandbox: [
    "* /identitytoolkit.googleapis.com/action",
    "* /identitytoolkit.googleapis.com/v1/:call",
    "* /identitytoolkit.googleapis.com/v2/:call",
    "POST /securetoken.googleapis.com/v1/token",
    "GET /amazon/ap/oa",
    "* /shop/**",
    "GET /_sandbox/mail",
    "* /_sandbox/stripe/onboarding/:id",
  ],
} as const satisfies Record<Owner, readonly string[]>;

/**
 * Doors for people without an account and for partners' machines: no identity token is read, other sites may send to them, and
 * any content type may come in, for the owner judges it.
 */
const OPEN: readonly string[] = [
  "GET /api/version",
  "GET /r/:link_id",
  "POST /api/webhooks/**",
  "* /lp/**",
  "POST /api/landing-pages/:id/submit-email",
  "POST /api/landing-pages/:id/track-click",
];

/** The table of all paths; without a sandbox its paths are as unknown as any other. */
export function routeTable(sandbox: boolean): RouteTable<Owner> {
  const table = new RouteTable<Owner>();
  for (const [owner, routes] of Object.entries(ROUTES) as [Owner, readonly string[]][]) {
    if (owner === "sandbox" && !sandbox) continue;
    for (const route of routes) table.add(route, owner, owner === "sandbox" || OPEN.includes(route));
  }
  return table;
}
