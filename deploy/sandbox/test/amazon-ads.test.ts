import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AmazonWorld, type Connection } from "./amazon-world.ts";

let world: AmazonWorld;
let ok: Connection;
beforeAll(async () => {
  world = await AmazonWorld.open();
  ok = await world.connect("ok");
});
afterAll(() => world.sandbox.close());

const METADATA = {
  "content-type": "application/vnd.productmetadatarequest.v1+json",
  accept: "application/vnd.productmetadataresponse.v1+json",
};
const metadata = (body: unknown, headers: Record<string, string> = {}) =>
  world.call("POST", "/amazon-ads/product/metadata", {
    headers: { ...ok.headers, ...METADATA, ...headers },
    body,
  });

describe("profiles", () => {
  it("show the American seller profile of a working account", async () => {
    const { body } = await world.call("GET", "/amazon-ads/v2/profiles", { headers: ok.headers });
    expect(body).toMatchObject([
      {
        profileId: expect.any(Number),
        countryCode: "US",
        timezone: "America/Los_Angeles",
        accountInfo: { type: "seller", marketplaceStringId: "ATVPDKIKX0DER", name: "Cedar & Clay Goods" },
      },
    ]);
    expect(Number.isSafeInteger(body[0].profileId)).toBe(true);
  });

  it("hold nothing eligible for the persona without one", async () => {
    const { headers } = await world.connect("no_us_profile");
    const { body } = await world.call("GET", "/amazon-ads/v2/profiles", { headers });
    expect(
      body.map((p: { countryCode: string; accountInfo: { subType?: string } }) => [
        p.countryCode,
        p.accountInfo.subType,
      ]),
    ).toEqual([
      ["CA", undefined],
      ["MX", undefined],
      ["US", "KDP_AUTHOR"],
    ]);
  });
});

describe("advertisers, publishers and tags", () => {
  it("give the one advertiser, the publishers and a tag to be filled in", async () => {
    const get = async (path: string) =>
      (await world.call("GET", `/amazon-ads/attribution/${path}`, { headers: ok.headers })).body;
    expect((await get("advertisers")).advertisers).toEqual([
      { advertiserId: ok.advertiserId, advertiserName: "Cedar & Clay Goods" },
    ]);
    expect((await get("publishers")).publishers[8]).toEqual({
      id: "9",
      name: "Display - Other",
      macroEnabled: false,
    });
    for (const query of ["publisherIds=8,9", "publisherIds=8&publisherIds=9"])
      expect(Object.keys((await get(`tags/nonMacroTemplateTag?${query}`))[ok.advertiserId])).toEqual([
        "8",
        "9",
      ]);
    expect((await get("tags/macroTag?publisherIds=2"))[ok.advertiserId]["2"]).toContain("_macro_2_");
  });

  it("refuse a publisher that does not fit and an advertiser of somebody else", async () => {
    const get = (query: string) =>
      world.call("GET", `/amazon-ads/attribution/tags/nonMacroTemplateTag?${query}`, { headers: ok.headers });
    for (const query of ["publisherIds=1", "publisherIds=99", "publisherIds=9&advertiserIds=1"])
      expect((await get(query)).status).toBe(400);
  });

  it("speak both dialects", async () => {
    const { headers } = ok;
    await world.control("PUT", "/amazon/dialect", { dialect: "openapi" });
    const tags = await world.call("GET", "/amazon-ads/attribution/tags/nonMacroTemplateTag?publisherIds=9", {
      headers,
    });
    const publishers = await world.call("GET", "/amazon-ads/attribution/publishers", { headers });
    const report = await ok.report({});
    const wrong = await ok.report({ groupBy: "NONSENSE" });
    await world.control("PUT", "/amazon/dialect", { dialect: "recorded" });
    expect(Object.keys(tags.body)).toEqual(["advertiserAttributionTagMap"]);
    expect(Object.keys(publishers.body)).toEqual(["publisher"]);
    expect(report.body).toEqual({ reports: [], size: 0, cursorId: "" });
    expect(wrong.body.details).toContain("groupBy");
    expect((await ok.report({})).body).toEqual({ reports: [], count: 0, cursorId: null });
    expect((await ok.report({ groupBy: "NONSENSE" })).body.message).toContain("groupBy");
  });
});

describe("product metadata", () => {
  it("comes page by page with titles, prices and pictures that need no network", async () => {
    const first = await metadata({ pageIndex: 0, pageSize: 15, checkItemDetails: true });
    const second = await metadata({ pageIndex: 1, pageSize: 15, checkItemDetails: true });
    expect([first.body.ProductMetadataList.length, second.body.ProductMetadataList.length]).toEqual([15, 5]);
    const [mug] = first.body.ProductMetadataList;
    expect(mug).toMatchObject({
      sku: "CC-001",
      priceToPay: { amount: 19.99, currency: "USD" },
      availability: "IN_STOCK",
    });
    const picture = await fetch(mug.imageUrl.replace("._SS60_", ""));
    expect(picture.headers.get("content-type")).toBe("image/svg+xml");
    expect(await picture.text()).toContain("<svg");
  });

  it("changes when the seller changes a price, and is searched by asin, sku or words", async () => {
    const [mug] = (await metadata({ pageIndex: 0, pageSize: 1, checkItemDetails: true })).body
      .ProductMetadataList;
    await world.control("POST", "/amazon/products", {
      seller: "ok",
      products: [
        { asin: mug.asin, sku: mug.sku, title: mug.title, price: "21.49", availability: "OUT_OF_STOCK" },
      ],
    });
    for (const way of [{ asins: [mug.asin] }, { skus: ["CC-001"] }, { searchStr: "speckled" }]) {
      const { body } = await metadata({ pageIndex: 0, pageSize: 300, checkItemDetails: true, ...way });
      expect(body.ProductMetadataList).toMatchObject([
        { asin: mug.asin, priceToPay: { amount: 21.49 }, availability: "OUT_OF_STOCK" },
      ]);
    }
  });

  it("insists on its media types and on requests that make sense", async () => {
    const page = { pageIndex: 0, pageSize: 10 };
    expect((await metadata(page, { "content-type": "application/json" })).status).toBe(415);
    expect((await metadata(page, { accept: "application/json" })).status).toBe(406);
    for (const wrong of [
      { pageIndex: 0 },
      { ...page, pageSize: 301 },
      { pageIndex: 100, pageSize: 100 },
      { ...page, asins: ["A"], skus: ["B"] },
      { ...page, checkEligibility: true },
      { ...page, sortBy: "SUGGESTED", sortOrder: "ASC" },
    ])
      expect((await metadata(wrong)).status).toBe(400);
  });
});

describe("strictness, in the Ads API's own words", () => {
  const json = { "content-type": "application/json" };
  const day = { startDate: "20260101", endDate: "20260105" };
  const routes: [string, string, Record<string, string>, Record<string, unknown> | undefined, string][] = [
    ["GET", "/amazon-ads/v2/profiles", {}, undefined, "accessLevel=5"],
    ["GET", "/amazon-ads/attribution/advertisers", {}, undefined, "x[]=5"],
    ["GET", "/amazon-ads/attribution/publishers", {}, undefined, "x[]=5"],
    ["GET", "/amazon-ads/attribution/tags/macroTag", {}, undefined, "publisherIds=nine"],
    ["GET", "/amazon-ads/attribution/tags/nonMacroTemplateTag", {}, undefined, "publisherIds=nine"],
    ["POST", "/amazon-ads/attribution/report", json, { ...day, count: "5" }, ""],
    ["POST", "/amazon-ads/product/metadata", METADATA, { pageIndex: "0", pageSize: 1 }, ""],
  ];

  it.each(routes)(
    "%s %s refuses an unknown parameter, a wrong type, a wrong header",
    async (method, path, more, body, query) => {
      const headers = { ...ok.headers, ...more };
      const flawed = { status: 400, body: { code: "INVALID_ARGUMENT", message: expect.any(String) } };
      expect(await world.call(method, `${path}?${query}`, { headers, body })).toMatchObject(flawed);
      const asked = path.includes("/tags/") ? `${path}?publisherIds=9&nonsense=1` : `${path}?nonsense=1`;
      expect(await world.call(method, asked, { headers, body })).toMatchObject(flawed);
      if (body)
        expect(await world.call(method, path, { headers, body: { ...body, nonsense: 1 } })).toMatchObject(
          flawed,
        );

      const without = (name: string) =>
        Object.fromEntries(Object.entries(headers).filter(([key]) => key !== name));
      const unauthorized = { status: 401, body: { code: "UNAUTHORIZED" } };
      expect(await world.call(method, path, { headers: without("authorization"), body })).toMatchObject(
        unauthorized,
      );
      expect(
        await world.call(method, path, { headers: without("amazon-advertising-api-clientid"), body }),
      ).toMatchObject(unauthorized);
      const stranger = { ...headers, "amazon-advertising-api-clientid": "somebody" };
      expect(await world.call(method, path, { headers: stranger, body })).toMatchObject(unauthorized);
      if (path.includes("profiles")) return;
      const scoped = async (scope: string | null) => {
        const rest = without("amazon-advertising-api-scope");
        const sent = scope === null ? rest : { ...rest, "amazon-advertising-api-scope": scope };
        return (await world.call(method, path, { headers: sent, body })).body.message;
      };
      expect(await scoped(null)).toBe("Scope header is missing");
      expect(await scoped("1")).toBe("No matching advertiser found for scope");
      const other = await world.connect("no_products");
      expect(await scoped(other.headers["amazon-advertising-api-scope"]!)).toBe(
        "Not authorized to access scope",
      );
    },
  );

  it("an access token is good for an hour", async () => {
    const { headers } = await world.connect("ok");
    await world.advance("PT1H");
    const { status } = await world.call("GET", "/amazon-ads/v2/profiles", { headers });
    expect(status).toBe(401);
    ok = await world.connect("ok");
  });

  it("a report reaches 13 months back, or as far as a test lets it", async () => {
    const longAgo = { startDate: "20230101", endDate: "20230102" };
    expect((await ok.report(longAgo)).status).toBe(400);
    await world.control("PUT", "/amazon/settings", { history_months: 120 });
    expect((await ok.report(longAgo)).status).toBe(200);
  });

  it("throttling comes with the seconds to wait", async () => {
    await world.control("POST", "/faults", {
      partner: "amazon",
      path_regex: "/attribution/report",
      times: 1,
      action: { status: 429, retry_after: 42 },
    });
    const throttled = await ok.report({});
    expect([throttled.status, throttled.headers.get("retry-after"), throttled.body.code]).toEqual([
      429,
      "42",
      "THROTTLED",
    ]);
    expect((await ok.report({})).status).toBe(200);
  });
});
