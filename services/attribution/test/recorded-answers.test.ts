import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { link } from "../src/link.ts";
import { productPage, taggedUrl } from "../src/link-url.ts";
import { seller } from "../src/seller.ts";
import { linkCreated } from "./support/links.ts";
import { evening, said } from "./support/report.ts";
import { beside, brand, connect } from "./support/story.ts";

const recorded = (name: string) =>
  JSON.parse(readFileSync(new URL(`./recorded/${name}.json`, import.meta.url), "utf8"));
const ADVERTISER = "1964981050701";

async function besideTheRealOne() {
  const { app, amazon } = await beside();
  amazon.advertisers = { advertisers: [{ advertiserId: ADVERTISER, advertiserName: "Lifted Naturals" }] };
  amazon.publishers = recorded("fetchPublisherResponse");
  amazon.tags = recorded("fetchNonMacroTemplateTagResponse");
  amazon.macroTags = recorded("fetchMacroTagResponse");
  await connect(app, amazon);
  return { app, amazon };
}

test("the recorded publishers and tags are taken as they are, macro and not", async () => {
  const { app, amazon } = await besideTheRealOne();
  const { body: fixed } = await app.as(brand).get("/api/amazon/attribution-tag-non-macro");
  const { body: macro } = await app.as(brand).get("/api/amazon/attribution-tag-macro");

  expect(fixed.tags.map(({ publisher_id }: { publisher_id: string }) => publisher_id)).toEqual([
    "5",
    "6",
    "7",
    "8",
  ]);
  expect(macro.tags).toHaveLength(4);
  expect(amazon.asked("/attribution/tags/macroTag")[0]!.query.get("publisherIds")).toBe("1,2,3,4");
  expect(amazon.asked("/attribution/tags/nonMacroTemplateTag")[0]!.query.get("publisherIds")).toMatch(
    /^5,6,7,8,9,/,
  );
  expect(await said(app, "TagsIssued")).toHaveLength(2);
});

test("every recorded tag becomes a working link with our three ids and no placeholder of the ids left", async () => {
  const { app } = await besideTheRealOne();
  await app.as(brand).get("/api/amazon/attribution-tag-macro");
  const { state } = await app.mounted.acting("test").read({ state: seller.at("b1") });
  const ids = {
    aa_campaignid: "tributary-b1-901",
    aa_adgroupid: "aB3dE5gH7j",
    aa_creativeid: "aB3dE5gH7j-1",
  };

  const tags = [...state.tags.static!, ...state.tags.macro!];
  expect(tags).toHaveLength(8);
  for (const { aa_tag, publisher_id } of tags) {
    const url = new URL(taggedUrl(productPage("B00MUG0001"), aa_tag, ids));
    expect(Object.fromEntries(url.searchParams)).toEqual({
      maas: expect.stringMatching(
        new RegExp(`^maas_adg_api_${ADVERTISER}_(static|macro)_${publisher_id}_73$`),
      ),
      ref_: "aa_maas",
      tag: "maas",
      ...ids,
    });
  }
});

test("the recorded report becomes metrics of the links it names", async () => {
  const { app, amazon } = await besideTheRealOne();
  const report = recorded("fetchPerformanceReportResponse");
  const groups = new Set<string>(report.reports.map(({ adGroupId }: { adGroupId: string }) => adGroupId));
  for (const group of groups) await app.happened(link.at(group), linkCreated(group));
  await app.settled();
  amazon.pages = { "": { ...report, cursorId: null } };
  await evening(app, "2026-01-05");

  const metrics = await said(app, "PerfMetricIngested");
  const days = new Set(
    report.reports.map((row: { adGroupId: string; date: string }) => `${row.adGroupId}:${row.date}`),
  );
  expect(metrics).toHaveLength(days.size);
  expect(metrics).toContainEqual(
    expect.objectContaining({
      link_id: "Mood Boost",
      date: "2022-02-05",
      click_throughs: 130,
      detail_page_views_14d: 23,
      add_to_cart_14d: 3,
      attributed_sales_14d: "0.00",
      total_attributed_sales_14d: "0.00",
      brb_bonus_amount: null,
      masked: false,
    }),
  );
});
