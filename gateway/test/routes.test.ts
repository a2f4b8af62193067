import { expect, test } from "vitest";
import { RouteTable } from "../src/route-table.ts";
import { routeTable } from "../src/routes.ts";

const table = routeTable(false);
const owner = (route: string): string | null => {
  const [method, path] = route.split(" ") as [string, string];
  return table.find(method, path)?.owner ?? null;
};

test.each([
  ["GET /api/version", "gateway"],
  ["GET /api/brands/me", "gateway"],
  ["GET /api/explain/payout/2026-01:b:c", "gateway"],
  ["POST /api/users", "identity"],
  ["POST /api/brands", "identity"],
  ["PATCH /api/brands/b1/logo", "identity"],
  ["GET /api/user-type", "identity"],
  ["POST /api/creators", "identity"],
  ["GET /api/creators/me", "identity"],
  ["PATCH /api/creators/c1", "identity"],
  ["POST /api/creator-channels", "identity"],
  ["GET /api/admin/creators", "identity"],
  ["POST /api/admin/creators/c1/approve", "identity"],
  ["GET /public/api/brands/b1", "identity"],
  ["GET /api/brands", "program"],
  ["HEAD /api/brands", "program"],
  ["GET /api/brands/b1/creators", "program"],
  ["GET /api/brands/b1/creators/c1/activity", "program"],
  ["POST /api/affiliate-programs", "program"],
  ["GET /api/affiliate-programs/page/ABCDE", "program"],
  ["POST /api/creator-brand-partnerships", "program"],
  ["GET /api/creator-products/b1", "program"],
  ["POST /api/referrals", "program"],
  ["PUT /api/brand-referral-settings/p1", "program"],
  ["PATCH /api/brands/b1/connect", "attribution"],
  ["GET /api/amazon/auth-url", "attribution"],
  ["POST /api/amazon/creator/refresh-attribution-performance", "attribution"],
  ["POST /api/links", "attribution"],
  ["GET /api/sync/status", "attribution"],
  ["GET /r/AbCdEfGh12", "attribution"],
  ["GET /api/products", "catalog"],
  ["GET /public/api/products", "catalog"],
  ["GET /api/billing/cycles", "billing"],
  ["GET /api/earnings", "billing"],
  ["POST /api/payment-methods/setup-intent", "billing"],
  ["PUT /api/creator-payment-destinations/me", "billing"],
  ["POST /api/webhooks/stripe", "billing"],
  ["GET /lp/summer", "landing"],
  ["POST /api/landing-pages/l1/submit-email", "landing"],
  ["GET /api/blog-posts", "landing"],
])("%s belongs to %s", (route, to) => {
  expect(owner(route)).toBe(to);
});

test.each([
  "GET /internal/callers/u1",
  "GET /quiet",
  "GET /api",
  "GET /api/nothing",
  "DELETE /api/brands",
  "PATCH /api/brands/b1/connect/more",
  "POST /r/AbCdEfGh12",
  "GET /r/",
  "GET /api/links/../../internal/callers/u1",
  "GET //api/links",
  "GET /api\\links",
  "GET /%61pi/links",
  "GET http://elsewhere.example/api/links",
  "GET /shop/dp/B000000001",
])("nobody answers %s", (route) => {
  expect(owner(route)).toBeNull();
});

test("only strangers' doors are open to strangers", () => {
  expect(table.find("POST", "/api/webhooks/stripe")?.open).toBe(true);
  expect(table.find("GET", "/r/AbCdEfGh12")?.open).toBe(true);
  expect(table.find("POST", "/api/landing-pages/l1/submit-email")?.open).toBe(true);
  expect(table.find("PATCH", "/api/landing-pages/l1")?.open).toBe(false);
  expect(table.find("POST", "/api/users")?.open).toBe(false);
});

test("the sandbox's pages are reached where there is a sandbox, its control plane never", () => {
  const sandboxed = routeTable(true);
  const to = (method: string, path: string) => sandboxed.find(method, path)?.owner ?? null;
  expect(to("GET", "/shop/dp/B000000001")).toBe("sandbox");
  expect(to("GET", "/amazon/ap/oa")).toBe("sandbox");
  expect(to("POST", "/identitytoolkit.googleapis.com/v1/accounts:signUp")).toBe("sandbox");
  expect(to("POST", "/securetoken.googleapis.com/v1/token")).toBe("sandbox");
  expect(to("GET", "/_sandbox/mail")).toBe("sandbox");
  expect(to("POST", "/_sandbox/clock")).toBeNull();
  expect(to("POST", "/_sandbox/mail")).toBeNull();
  expect(to("GET", "/_sandbox/stripe/ledger")).toBeNull();
  expect(to("POST", "/amazon/auth/o2/token")).toBeNull();
  expect(to("POST", "/identitytoolkit.googleapis.com/v1/projects/p/accounts:lookup")).toBeNull();
});

test("a route with two owners is refused when the table is built", () => {
  const twice = new RouteTable<string>();
  twice.add("GET /api/brands/:id", "one", false);
  expect(() => twice.add("GET /api/brands/:brand", "other", false)).toThrow("two owners");
});
