import { asDay } from "@tributary/contracts/dates";
import { metricId } from "@tributary/contracts/ids";
import type { Addressed } from "@tributary/runtime/decision";
import { expect, test } from "vitest";
import { figuresHash, PerformanceLine } from "../src/amazon/report-lines.ts";
import { ourRows, revealedBy, reviseMetrics, unmask } from "../src/pulling/revise-metrics.ts";
import { aLink } from "./support/links.ts";

const fetched = { report_id: "r1", fetched_at: "2026-01-20T18:00:00Z", synced_on: asDay("2026-01-20") };
const none = { revision: 0, row_hash: null, masked: false };
const made = aLink("aB3dE5gH7j");
const line = (more: object = {}) =>
  PerformanceLine.parse({
    date: "20260118",
    adGroupId: made.link_id,
    "Click-throughs": "20",
    totalAttributedSales14d: "120.50",
    ...more,
  });
const empty = { "Click-throughs": "0", totalAttributedSales14d: "0" };
const rowsOf = (lines: PerformanceLine[], link = made) =>
  ourRows("b1", lines, new Map([[link.link_id, link]])).ours;
const events = (outcome: readonly unknown[]) => (outcome as Addressed[]).flatMap((one) => one.events);

test("what the retailer says first is revision 1, what it says anew the next, and the same again is nothing", () => {
  const [row] = rowsOf([line()]);
  const [first] = events(reviseMetrics([row!], [none], new Set(), fetched));
  expect(first).toMatchObject({
    type: "PerfMetricIngested",
    data: {
      metric_id: metricId(made.link_id, asDay("2026-01-18")),
      revision: 1,
      masked: false,
      synced_on: "2026-01-20",
    },
  });

  const said = { revision: 1, row_hash: figuresHash(row!.figures), masked: false };
  expect(reviseMetrics([row!], [said], new Set(), fetched)).toEqual([]);

  const [restated] = rowsOf([line({ totalAttributedSales14d: "100.00" })]);
  expect(events(reviseMetrics([restated!], [said], new Set(), fetched))).toMatchObject([
    { data: { revision: 2, total_attributed_sales_14d: 10000n } },
  ]);
});

test("zeros of a link that has never shown anything are masked, not nothing", () => {
  expect(events(reviseMetrics(rowsOf([line(empty)]), [none], new Set(), fetched))).toMatchObject([
    { data: { masked: true } },
  ]);
});

test("zeros of a link that has shown something are zeros, down from something too", () => {
  const seen = { ...made, unmasked: true };
  expect(events(reviseMetrics(rowsOf([line(empty)], seen), [none], new Set(), fetched))).toMatchObject([
    { data: { masked: false } },
  ]);
});

test("what was masked is said again as a zero once the link is shown", () => {
  const [row] = rowsOf([line(empty)]);
  const masked = { revision: 1, row_hash: figuresHash(row!.figures), masked: true };
  expect(reviseMetrics([row!], [masked], new Set(), fetched)).toEqual([]);
  expect(events(reviseMetrics([row!], [masked], new Set([made.link_id]), fetched))).toMatchObject([
    { data: { revision: 2, masked: false } },
  ]);
});

test("a link is revealed once, by the first row that shows something of it", () => {
  const rows = rowsOf([line(empty), line({ date: "20260119" }), line({ date: "20260120" })]);
  expect(revealedBy(rows, new Set())).toEqual([made]);
  expect(revealedBy(rows, new Set([made.link_id]))).toEqual([]);
  expect(revealedBy(rowsOf([line(empty)]), new Set())).toEqual([]);
  expect(events(unmask([made], [made]))).toMatchObject([
    { type: "LinkUnmasked", data: { link_id: made.link_id } },
  ]);
  expect(unmask([made], [{ ...made, unmasked: true }])).toEqual([]);
});

test("ad groups that are no links of this brand are left out, a stranger brand's links too", () => {
  const links = new Map([
    [made.link_id, made],
    ["theirs0000", aLink("theirs0000", { brand_id: "b2" })],
  ]);
  const { ours, unknown } = ourRows(
    "b1",
    [line(), line({ adGroupId: "theirs0000" }), line({ adGroupId: "Mood Boost" }), line({ adGroupId: null })],
    links,
  );
  expect(ours.map(({ link }) => link.link_id)).toEqual([made.link_id]);
  expect([...unknown]).toEqual(["theirs0000", "Mood Boost", null]);
});

test("two rows of one ad group and day are one metric", () => {
  const [row, second] = rowsOf([line(), line({ "Click-throughs": "5", totalAttributedSales14d: "9.50" })]);
  expect(second).toBeUndefined();
  expect(row!.figures).toMatchObject({ click_throughs: 25, total_attributed_sales_14d: 13000n });
});
