import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { AmazonWorld, type Connection } from "./amazon-world.ts";

const MUG = "B0CEDAR001";
const CARAFE = "B0CEDAR002";

let world: AmazonWorld;
let ok: Connection;

beforeEach(async () => {
  world = await AmazonWorld.open("2026-01-05T20:00:00.000Z");
  ok = await world.connect("ok");
});
afterEach(() => world.sandbox.close());

/** Access tokens live an hour, the tests live for weeks. */
async function rows(body: Record<string, unknown> = {}): Promise<string[][]> {
  const { headers, advertiserId, link } = await world.connect("ok");
  Object.assign(ok, { headers, advertiserId, link });
  return ok.rows(body);
}

const shopper = (who: string, deeds: Record<string, unknown>) =>
  world.control("POST", "/shopper", { shopper: who, ...deeds });
const clicks = (who: string, adgroup: string, times: number, asin = MUG) =>
  shopper(who, { clicks: [{ url: ok.link(asin, adgroup), times }] });
const buys = (who: string, asin: string, more: Record<string, unknown> = {}) =>
  shopper(who, { purchases: [{ asin, qty: 1, price: "20.00", ...more }] });

describe("attribution", () => {
  it("shows clicks after a day and sales after two, as text", async () => {
    await clicks("ana", "l1", 12);
    await buys("ana", MUG);
    expect(await rows()).toEqual([]);
    await world.advance("PT24H");
    expect(await rows()).toEqual([["l1", "20260105", "12", "0", "0"]]);
    await world.advance("PT24H");
    expect(await rows()).toEqual([["l1", "20260105", "12", "20", "20"]]);
  });

  it("calls the clicked product promoted and another of the same brand halo", async () => {
    await clicks("ana", "l1", 10);
    await buys("ana", MUG);
    await buys("ana", CARAFE, { price: "30.00" });
    await world.advance("P2D");
    expect(await rows()).toEqual([["l1", "20260105", "10", "20", "50"]]);
  });

  it("gives a sale to the last click within 14 days, and to nobody after that", async () => {
    await clicks("ana", "l1", 10);
    await clicks("ana", "l2", 10);
    await buys("ana", MUG);
    await buys("ana", MUG, { at: "2026-01-19T19:59:00Z" });
    await buys("ana", MUG, { at: "2026-01-19T20:01:00Z" });
    await world.advance("P20D");
    expect(await rows()).toEqual([
      ["l1", "20260105", "10", "0", "0"],
      ["l2", "20260105", "10", "20", "20"],
      ["l2", "20260119", "0", "20", "20"],
    ]);
  });

  it("puts a sale on the marketplace day of the purchase, also across midnight in Los Angeles", async () => {
    await clicks("ana", "l1", 10);
    await buys("ana", MUG, { at: "2026-01-06T07:59:00Z" });
    await buys("ana", MUG, { at: "2026-01-06T08:00:00Z" });
    await world.advance("P4D");
    expect((await rows()).map(([, date, , , total]) => [date, total])).toEqual([
      ["20260105", "20"],
      ["20260106", "20"],
    ]);
  });

  it("shows zeros until a link has ten clicks, and then the whole past", async () => {
    await clicks("ana", "l1", 9);
    await buys("ana", MUG);
    await world.advance("P2D");
    expect(await rows()).toEqual([["l1", "20260105", "0", "0", "0"]]);
    await clicks("bo", "l1", 1);
    await world.advance("P1D");
    expect(await rows()).toEqual([
      ["l1", "20260105", "9", "20", "20"],
      ["l1", "20260107", "1", "0", "0"],
    ]);
  });

  it("masks each level by itself: a campaign may show what its links do not", async () => {
    await clicks("ana", "l1", 6);
    await clicks("bo", "l2", 6);
    await world.advance("P1D");
    expect((await rows()).map(([, , count]) => count)).toEqual(["0", "0"]);
    const { body } = await ok.report({ groupBy: "CAMPAIGN" });
    expect(body.reports).toMatchObject([{ campaignId: "c-ok", "Click-throughs": "12" }]);
    expect(body.reports[0].adGroupId).toBeUndefined();
  });

  it.each([
    ["the next day", "2026-01-05T21:00:00Z", "2026-01-06T08:00:00.000Z"],
    ["on day 7", "2026-01-08T00:00:00Z", "2026-01-12T08:00:00.000Z"],
    ["on day 28", "2026-01-20T00:00:00Z", "2026-02-02T08:00:00.000Z"],
  ])("takes a returned sale back %s", async (_when, return_at, instant) => {
    await clicks("ana", "l1", 10);
    await buys("ana", MUG, { return_at });
    await buys("ana", CARAFE, { price: "0.10" });
    const { conversions } = (await world.control("GET", "/amazon/attribution")).body;
    expect(conversions[0].restated_at).toBe(instant);
    await world.control("POST", "/clock", {
      to: new Date(Math.max(Date.parse(instant) - 1, Date.parse("2026-01-07T20:00:00Z"))).toISOString(),
    });
    const before = instant > "2026-01-07T20:00:00Z" ? "20.1" : "0.1";
    expect((await rows())[0]!.slice(3)).toEqual([before === "20.1" ? "20" : "0", before]);
    await world.advance("PT1S");
    expect((await rows())[0]!.slice(3)).toEqual(["0", "0.1"]);
  });

  it("never takes back a sale that is returned after day 28", async () => {
    await clicks("ana", "l1", 10);
    await buys("ana", MUG, { return_at: "2026-02-03T00:00:00Z" });
    await world.advance("P40D");
    expect((await rows())[0]![4]).toBe("20");
  });

  it("writes sums with the noise of floating point", async () => {
    await clicks("ana", "l1", 10);
    for (const price of ["19.99", "0.1", "0.2"]) await buys("ana", MUG, { price });
    await world.advance("P2D");
    expect((await rows())[0]![4]).toBe("20.29");
    await buys("ana", MUG, { price: "63.989999999999995", qty: 3 });
    await world.advance("P2D");
    expect((await rows())[1]![4]).toMatch(/^191\.9\d+$/);
  });

  it("measures nothing before a tag was fetched, nor through a spoilt tag, and says why", async () => {
    await world.control("POST", "/seed", {
      sellers: [
        {
          key: "new",
          name: "New",
          products: [{ asin: "B0NEWNEW01", sku: "N1", title: "New", price: "5.00" }],
        },
      ],
    });
    const { body } = await world.control("GET", "/amazon/sellers");
    const advertiser = body.sellers.find((seller: { key: string }) => seller.key === "new").profiles[0]
      .advertiser_id;
    const good = new URL(ok.link(MUG, "l1"));
    const spoilt = (change: (url: URL) => void) => {
      const url = new URL(good);
      change(url);
      return { url: url.href };
    };
    const sent = await shopper("ana", {
      clicks: [
        spoilt((url) => url.searchParams.set("maas", `maas_adg_api_${advertiser}_static_9_129`)),
        spoilt((url) => url.searchParams.set("tag", "someone-20")),
        spoilt((url) => url.searchParams.set("aa_adgroupid", "a&b")),
        spoilt((url) => url.searchParams.set("aa_creativeid", "{insertCreativeId}")),
        { url: good.href },
        { url: good.href.replace(MUG, CARAFE) },
      ],
    });
    expect(sent.body.clicks.map(({ counted }: { counted: number }) => counted)).toEqual([0, 0, 0, 0, 1, 0]);
    expect((await world.control("GET", "/amazon/attribution")).body.problems).toHaveLength(5);
  });

  it("tells the brand bonus, a tenth of the sales, only when asked for by name", async () => {
    await clicks("ana", "l1", 10);
    await buys("ana", MUG, { price: "142.80" });
    await world.advance("P2D");
    await rows();
    const ask = async (groupBy: string) =>
      ok.report({ groupBy, metrics: "totalAttributedSales14d,brb_bonus_amount" });
    const [row] = (await ask("ADGROUP")).body.reports;
    expect(Number(row.brb_bonus_amount)).toBeCloseTo(14.28, 9);
    expect(Object.keys(row)).not.toContain("Click-throughs");
    expect((await ask("CREATIVE")).status).toBe(400);
    expect((await ok.report({ groupBy: "ADGROUP" })).body.reports[0].brb_bonus_amount).toBeUndefined();
  });
});

describe("report requests", () => {
  it("page by a JSON cursor that leads to every row once", async () => {
    for (const link of ["l1", "l2", "l3", "l4", "l5"]) await clicks("ana", link, 10);
    await world.advance("P1D");
    await rows();
    const seen: string[] = [];
    let cursorId: string | null = "";
    let pages = 0;
    while (cursorId !== null) {
      const { body } = await ok.report({ groupBy: "ADGROUP", count: 2, cursorId });
      seen.push(...body.reports.map((row: { adGroupId: string }) => row.adGroupId));
      cursorId = body.cursorId;
      pages++;
    }
    expect([seen, pages]).toEqual([["l1", "l2", "l3", "l4", "l5"], 3]);
  });

  it("are refused beyond the limits", async () => {
    const wrong = [
      { startDate: "20241001" },
      { startDate: "2026-01-01" },
      { startDate: "20260230" },
      { startDate: "20260110", endDate: "20260101" },
      { count: 0 },
      { count: 5001 },
      { cursorId: "nonsense" },
      { cursorId: '{"values":[]}' },
      { metrics: "nonsense" },
      { advertiserIds: "123" },
      { reportType: "PRODUCTS", groupBy: "ADGROUP" },
      { reportType: "PRODUCTS", startDate: "20251001" },
      { reportType: "PRODUCTS", metrics: "Click-throughs" },
    ];
    for (const body of wrong) expect([body, (await ok.report(body)).status]).toEqual([body, 400]);
    expect((await ok.report({}, { "content-type": "text/plain" })).status).toBe(415);
    expect((await ok.report({}, { accept: "text/csv" })).status).toBe(406);
    expect((await ok.report({ startDate: "20241205", endDate: "20260105" })).status).toBe(200);
  });

  it("tell by product what was bought", async () => {
    await clicks("ana", "l1", 10);
    await buys("ana", MUG);
    await buys("ana", CARAFE, { qty: 2 });
    await world.advance("P2D");
    await rows();
    const { body } = await ok.report({ reportType: "PRODUCTS" });
    expect(body.reports).toMatchObject([
      {
        productAsin: MUG,
        productConversionType: "Promoted",
        attributedSales14d: "20",
        brandHaloAttributedSales14d: "0",
      },
      {
        productAsin: CARAFE,
        productConversionType: "Brand Halo",
        attributedSales14d: "0",
        brandHaloUnitsSold14d: "2",
      },
    ]);
  });
});

describe("scripted rows", () => {
  it("writes amounts without an exponent, however little noise or however much they come to", async () => {
    const row = { adgroup_id: "l9", date: "2026-01-05", clicks: 1, promoted: "0", url: ok.link(MUG, "l9") };
    const asked = { groupBy: "ADGROUP", metrics: "totalAttributedSales14d,brb_bonus_amount" };
    for (const total of ["0.0000000000000001", "90000000000000000000000"]) {
      await world.control("POST", "/report", { rows: [{ ...row, total }] });
      const [shown] = (await ok.report(asked)).body.reports;
      expect(shown.totalAttributedSales14d).toBe(total);
      expect(shown.brb_bonus_amount).toMatch(/^\d+(\.\d+)?$/);
    }
  });

  it("stand as written, at once, unmasked, in place of what the engine says", async () => {
    await clicks("ana", "l1", 10);
    await buys("ana", MUG);
    const row = {
      adgroup_id: "l1",
      date: "2026-01-05",
      clicks: 3,
      promoted: "191.95999999999998",
      total: "200.10",
    };
    await world.control("POST", "/report", { rows: [row] });
    expect(await rows()).toEqual([["l1", "20260105", "3", "191.95999999999998", "200.10"]]);
    await world.advance("P30D");
    expect(await rows()).toEqual([["l1", "20260105", "3", "191.95999999999998", "200.10"]]);
    await world.control("POST", "/report", { rows: [{ ...row, total: "191.97" }] });
    expect((await rows())[0]![4]).toBe("191.97");
  });

  it("need the link's URL once for an ad group that nobody has clicked yet", async () => {
    const row = { adgroup_id: "l9", date: "2026-01-05", clicks: 3, promoted: "1.00", total: "1.00" };
    const unknown = await world.control("POST", "/report", { rows: [row] });
    expect([unknown.status, unknown.body.error]).toEqual([400, expect.stringContaining("l9")]);
    expect(
      (await world.control("POST", "/report", { rows: [{ ...row, url: ok.link(MUG, "l9") }] })).status,
    ).toBe(200);
    expect((await world.control("POST", "/report", { rows: [{ ...row, date: "2026-01-04" }] })).status).toBe(
      200,
    );
    expect((await rows()).map(([, date]) => date)).toEqual(["20260104", "20260105"]);
  });
});

describe("the shop", () => {
  it("remembers where a shopper came from, sells, takes back, and shows it all on pages", async () => {
    const link = new URL(ok.link(MUG, "l1"));
    const page = await world.call("GET", link.pathname + link.search);
    expect(page.body).toContain("Buy now");
    const cookie = page.headers.get("set-cookie")!.split(";")[0]!;
    for (let n = 0; n < 9; n++) await world.call("GET", link.pathname + link.search, { headers: { cookie } });
    const bought = await world.call("POST", "/shop/buy", {
      headers: { cookie },
      body: new URLSearchParams({ asin: MUG, qty: "2" }),
    });
    expect(bought.status).toBe(303);
    await world.advance("P2D");
    expect(await rows()).toEqual([["l1", "20260105", "10", "39.98", "39.98"]]);
    const order = bought.headers.get("location")!.split("/").pop()!;
    await world.call("POST", "/shop/return", { body: new URLSearchParams({ order }) });
    expect((await world.call("GET", `/shop/orders/${order}`)).body).toContain("Returned");
    await world.advance("P7D");
    expect(await rows()).toEqual([["l1", "20260105", "10", "0", "0"]]);
  });

  it("knows scripts by the header x-shopper, and refuses a wrong order on a page", async () => {
    const link = new URL(ok.link(MUG, "l1"));
    await world.call("GET", link.pathname + link.search, { headers: { "x-shopper": "script-7" } });
    expect((await world.control("GET", "/amazon/attribution")).body.clicks[0].shopper).toBe("script-7");
    const wrong = await world.call("POST", "/shop/buy", {
      body: new URLSearchParams({ asin: MUG, qty: "many" }),
    });
    expect([wrong.status, wrong.body]).toEqual([400, expect.stringContaining("Invalid value for qty")]);
    const extra = await world.call("POST", "/shop/return", {
      body: new URLSearchParams({ order: "1", x: "1" }),
    });
    expect([extra.status, extra.body]).toEqual([400, expect.stringContaining("Unknown parameter: x")]);
    expect((await world.call("GET", "/shop/dp/B000000000")).status).toBe(404);
  });
});
