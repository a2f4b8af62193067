import { asDay } from "@tributary/contracts/dates";
import type { Heard, NewEvent } from "@tributary/contracts/event";
import {
  LinkArchived,
  LinkRenamed,
  LinkUnarchived,
  LinkUnmasked,
  PerfMetricIngested,
  ReportPulled,
  SellerConnected,
  SellerDisconnected,
  SyncCompleted,
} from "@tributary/contracts/events/attribution";
import {
  CreatorProductGranted,
  PartnershipActivated,
  PartnershipEnded,
} from "@tributary/contracts/events/program";
import { canonical } from "@tributary/runtime/canonical";
import fc from "fast-check";
import { expect, test } from "vitest";
import { grants } from "../src/facts/grants.ts";
import { partnerships } from "../src/facts/partnerships.ts";
import { links } from "../src/read-models/links.ts";
import { metricRevisions } from "../src/read-models/metric-revisions.ts";
import { metrics } from "../src/read-models/metrics.ts";
import { sellers } from "../src/read-models/sellers.ts";
import { linkCreated } from "./support/links.ts";

const FOLDED = [links, metrics, metricRevisions, sellers, partnerships, grants];

interface Fold {
  readonly name: string;
  readonly key: (event: Heard) => string | readonly string[] | null;
  readonly on: readonly { event: { type: string }; fold: (document: never, event: never) => unknown }[];
}

function foldAll(of: Fold, events: readonly Heard[]): string {
  const documents = new Map<string, unknown>();
  for (const event of events) {
    const handler = of.on.find((one) => one.event.type === event.type);
    const key = handler ? of.key(event) : null;
    for (const id of key === null ? [] : [key].flat())
      documents.set(id, handler!.fold((documents.get(id) ?? null) as never, event as never));
  }
  return canonical(
    JSON.parse(
      JSON.stringify(
        [...documents].sort(([a], [b]) => (a < b ? -1 : 1)),
        (_, value) => (typeof value === "bigint" ? `${value}n` : value),
      ),
    ),
  );
}

let heard = 0;
const on = (stream: string, ...events: NewEvent[]): Heard[] =>
  events.map((event, version) => ({
    ...event,
    id: `e${++heard}`,
    source: event.owner,
    stream,
    version: version + 1,
    partition: 0,
    sequence: heard,
    time: new Date(Date.UTC(2026, 0, 5, 0, heard)).toISOString(),
    actor: null,
    correlationid: "c",
    causationid: null,
  }));

const profile = (id: string) => ({
  profile_id: id,
  merchant_token: "MT",
  country_code: "US",
  marketplace_id: "ATVPDKIKX0DER",
  name: "Acme",
  type: "seller",
  subtype: null,
});
const connected = (brand_id: string, profile_id: string) =>
  SellerConnected({
    brand_id,
    profile_id,
    profiles: [profile(profile_id)],
    granted_at: "2026-01-05T00:00:00Z",
  });
const pulled = (brand_id: string, profile_id: string, from: string, report: "performance" | "products") =>
  ReportPulled({
    brand_id,
    profile_id,
    report,
    run: "daily",
    from: asDay(from),
    through: asDay("2026-01-05"),
    rows: 3,
    changed: 1,
    unknown: 0,
  });
const completed = (brand_id: string, through: string) =>
  SyncCompleted({ brand_id, through: asDay(through), heads: Array(16).fill(0), outcome: "complete" });
const metric = (metric_id: string, link_id: string, revision: number, total: bigint) =>
  PerfMetricIngested({
    metric_id,
    link_id,
    brand_id: "b1",
    creator_id: "c1",
    partnership_id: "p1",
    product_id: "x1",
    date: asDay("2026-01-04"),
    revision,
    synced_on: asDay("2026-01-05"),
    masked: false,
    click_throughs: 20,
    detail_page_views_14d: 0,
    total_detail_page_view_clicks_14d: 0,
    add_to_cart_14d: 0,
    total_add_to_cart_clicks_14d: 0,
    purchases_14d: 1,
    total_purchases_14d: 1,
    units_sold_14d: 1,
    total_units_sold_14d: 1,
    attributed_sales_14d: total as never,
    total_attributed_sales_14d: total as never,
    brb_bonus_amount: null,
    source: { report_id: "r", fetched_at: "2026-01-05T00:00:00Z", row_hash: "h" },
  });
const whose = (link_id: string) => ({ link_id, brand_id: "b1", creator_id: "c1" });
const parties = (brand_id: string) => ({ partnership_id: `p-${brand_id}`, creator_id: "c1", brand_id });
const activated = (brand_id: string) =>
  PartnershipActivated({
    ...parties(brand_id),
    started_on: asDay("2026-01-03"),
    source_program_id: "prog",
    commission_base: "total",
    referrer_creator_id: null,
    referral_percent: null,
  });

const streams = [
  on(
    "seller/b1",
    connected("b1", "901"),
    SellerDisconnected({ brand_id: "b1", reason: "revoked" }),
    connected("b1", "902"),
  ),
  on("seller/b2", connected("b2", "903")),
  on(
    "sync/b1",
    pulled("b1", "901", "2025-12-07", "performance"),
    completed("b1", "2026-01-05"),
    pulled("b1", "902", "2025-11-07", "products"),
    pulled("b1", "901", "2025-10-07", "performance"),
    completed("b1", "2026-01-06"),
  ),
  on("sync/b2", completed("b2", "2026-01-05")),
  on(
    "link/l1",
    linkCreated("l1"),
    LinkRenamed({ ...whose("l1"), link_name: "Cup" }),
    LinkArchived(whose("l1")),
    LinkUnmasked(whose("l1")),
    LinkUnarchived(whose("l1")),
  ),
  on("link/l2", linkCreated("l2"), LinkArchived(whose("l2"))),
  on("metric/m1", metric("m1", "l1", 1, 12050n), metric("m1", "l1", 2, 0n), metric("m1", "l1", 3, 500n)),
  on("metric/m2", metric("m2", "l2", 1, 100n)),
  on(
    "partnership/p-b1",
    activated("b1"),
    PartnershipEnded({ ...parties("b1"), ended_on: asDay("2026-01-09"), by: "brand", reason: null }),
  ),
  on("partnership/p-b2", activated("b2")),
  on(
    "creator-product/cp1",
    CreatorProductGranted({
      creator_product_id: "cp1",
      ...parties("b1"),
      product_id: "x1",
      affiliate_fee: 20,
    }),
  ),
];

/** The streams shuffled into one another, each in its own order. */
const interleaving = fc.shuffledSubarray(
  streams.flatMap((events, stream) => events.map(() => stream)),
  { minLength: streams.flat().length },
);

test.each(FOLDED.map((of) => [of.name, of as unknown as Fold] as const))(
  "%s come out the same, byte for byte, whatever the order between streams",
  (_, of) => {
    const straight = foldAll(of, streams.flat());
    expect(straight).not.toBe("[]");
    fc.assert(
      fc.property(interleaving, (turns) => {
        const at = streams.map(() => 0);
        const order = turns.map((stream) => streams[stream]![at[stream]!++]!);
        expect(foldAll(of, order)).toBe(straight);
      }),
      { numRuns: 50 },
    );
  },
);
