import { asDay } from "@tributary/contracts/dates";
import { PartnershipEnded } from "@tributary/contracts/events/program";
import { as } from "@tributary/runtime/testing/harness";
import { expect, test } from "vitest";
import { link } from "../src/link.ts";
import { linkCreated } from "./support/links.ts";
import { evening, row, said } from "./support/report.ts";
import { beside, brand, connect, creator, partner } from "./support/story.ts";

async function together() {
  const { app, amazon } = await beside();
  await connect(app, amazon);
  await partner(app);
  return { app, amazon };
}

test("a partner makes a link to a granted product: a tag of its own on the product's page", async () => {
  const { app } = await together();
  const { status, body } = await app
    .as(creator)
    .post("/api/links", { product_id: "x1", link_name: "Mug on TikTok" });

  expect(status).toBe(201);
  expect(body).toMatchObject({
    link_id: expect.stringMatching(/^[A-Za-z0-9]{10}$/),
    link_name: "Mug on TikTok",
    brand_id: "b1",
    creator_id: "c1",
    asin: "B00MUG0001",
    is_archived: false,
    masked: true,
    short_path: `/r/${body.link_id}`,
    totals: { click_throughs: 0, total_attributed_sales_14d: "0.00" },
  });
  const [made] = await said(app, "LinkCreated");
  const url = new URL(made!.url as string);
  expect(url.origin + url.pathname).toBe("https://www.amazon.com/dp/B00MUG0001");
  expect(Object.fromEntries(url.searchParams)).toMatchObject({
    maas: "maas_adg_api_77_static_9_129",
    ref_: "aa_maas",
    tag: "maas",
    aa_campaignid: "tributary-b1-901",
    aa_adgroupid: body.link_id,
    aa_creativeid: expect.stringContaining(`${body.link_id}-`),
  });
  expect(made).toMatchObject({
    advertiser_id: "77",
    publisher_id: "9",
    partnership_id: "p1",
    creator_product_id: "cp1",
  });
  expect(await app.as(creator).get(`/api/links/${body.link_id}`)).toMatchObject({
    status: 200,
    body: { ...body, created_at: expect.stringContaining("2026-01-05T18:00:00") },
  });
});

test("the same request sent twice under one key makes one link", async () => {
  const { app } = await together();
  const send = () => app.as(creator).post("/api/links", { product_id: "x1" }, { "idempotency-key": "k1" });
  const [one, two] = await Promise.all([send(), send()]);

  expect(one.body.link_id).toBe(two.body.link_id);
  expect(await said(app, "LinkCreated")).toHaveLength(1);
});

test("who is no partner, has no grant, or names another brand gets no link", async () => {
  const { app } = await together();
  const ask = (caller: typeof creator, body: object) => app.as(caller).post("/api/links", body);

  expect(await ask(as.creator("c2"), { product_id: "x1" })).toMatchObject({
    status: 403,
    body: { code: "not_a_partner" },
  });
  expect(await ask(creator, { product_id: "x2" })).toMatchObject({ status: 404 });
  expect(await ask(creator, { product_id: "x1", brand_id: "b2" })).toMatchObject({ status: 404 });
  expect(await ask(as.creator("c1", { approved: false }), { product_id: "x1" })).toMatchObject({
    status: 403,
  });
  expect((await ask(creator, { product_id: "x1", creator_id: "c2" })).status).toBe(400);

  await app.hear(
    "partnership/p1",
    PartnershipEnded({
      partnership_id: "p1",
      creator_id: "c1",
      brand_id: "b1",
      ended_on: asDay("2026-01-05"),
      by: "brand",
      reason: null,
    }),
  );
  await app.settled();
  expect(await ask(creator, { product_id: "x1" })).toMatchObject({
    status: 403,
    body: { code: "not_a_partner" },
  });
});

test("no link is made while the brand is disconnected or its tag isn't there yet", async () => {
  const { app, amazon } = await beside();
  await partner(app);
  expect(await app.as(creator).post("/api/links", { product_id: "x1" })).toMatchObject({
    body: { code: "brand_disconnected" },
  });

  amazon.tags = {};
  await connect(app, amazon);
  expect(await app.as(creator).post("/api/links", { product_id: "x1" })).toMatchObject({
    status: 503,
    body: { code: "tag_not_ready" },
  });
});

test("its creator renames, archives and restores a link; its brand may look, a stranger may not even do that", async () => {
  const { app } = await together();
  await app.happened(link.at("aB3dE5gH7j"), linkCreated("aB3dE5gH7j"));
  await app.settled();
  const path = "/api/links/aB3dE5gH7j";

  expect(await app.as(creator).patch(path, { link_name: "Cup", is_archived: true })).toMatchObject({
    status: 200,
    body: { link_name: "Cup", is_archived: true },
  });
  expect((await app.as(creator).patch(path, { link_name: "Cup", is_archived: true })).status).toBe(200);
  expect((await app.as(creator).get("/api/links?archived=false")).body.items).toEqual([]);
  await app.as(creator).patch(path, { is_archived: false });
  expect(
    (await app.events()).filter(({ stream }) => stream === "link/aB3dE5gH7j").map(({ type }) => type),
  ).toEqual(["LinkRenamed", "LinkArchived", "LinkUnarchived"]);

  expect((await app.as(brand).get(path)).body).toMatchObject({ link_name: "Cup" });
  expect((await app.as(brand).patch(path, { link_name: "Ours" })).status).toBe(403);
  expect((await app.as(as.creator("c2")).get(path)).status).toBe(404);
  expect((await app.as(as.creator("c2")).patch(path, { link_name: "Mine" })).status).toBe(404);
  expect((await app.as(as.brand("b2")).get(`${path}/metrics`)).status).toBe(404);
  expect((await app.as(as.creator("c2")).get("/api/links?creator_id=c1")).body.items).toEqual([]);
  expect((await app.as(as.brand("b2")).get("/api/links")).body.items).toEqual([]);
});

test("a link shows what the retailer said of it, day by day and in all, and each figure can be explained", async () => {
  const { app, amazon } = await together();
  await app.happened(link.at("aB3dE5gH7j"), linkCreated("aB3dE5gH7j"));
  await app.settled();
  amazon.pages = {
    "": {
      reports: [
        row("aB3dE5gH7j", "2026-01-04", 20, "120.50", "100"),
        row("aB3dE5gH7j", "2026-01-05", 5, "9.50"),
      ],
    },
  };
  await evening(app, "2026-01-05");

  expect((await app.as(creator).get("/api/links")).body.items).toMatchObject([
    {
      masked: false,
      totals: { click_throughs: 25, attributed_sales_14d: "109.50", total_attributed_sales_14d: "130.00" },
    },
  ]);
  const { items } = (await app.as(brand).get("/api/links/aB3dE5gH7j/metrics")).body;
  expect(items).toMatchObject([
    { date: "2026-01-05" },
    { date: "2026-01-04", total_attributed_sales_14d: "120.50", revision: 1 },
  ]);

  const explain = (caller: typeof creator) =>
    app.as(caller).get(`/api/explain/metric/${items[1].metric_id}@1`);
  expect(await explain(creator)).toMatchObject({
    status: 200,
    body: {
      kind: "metric",
      amounts: { total: "120.5000", promoted: "100.0000" },
      explains: null,
      children: [],
      details: {
        link_id: "aB3dE5gH7j",
        date: "2026-01-04",
        synced_on: "2026-01-05",
        row_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    },
  });
  expect((await explain(brand)).status).toBe(200);
  expect((await explain(as.creator("c2"))).status).toBe(404);
  expect((await explain(as.brand("b2"))).status).toBe(404);
});
