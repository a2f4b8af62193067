import type { DataOf, Heard } from "@tributary/contracts/event";
import type { EarningAccrued } from "@tributary/contracts/events/earnings";
import { ExplainNode } from "@tributary/contracts/http/explain";
import { canonical } from "@tributary/runtime/canonical";
import type { ReadModel } from "@tributary/runtime/read-models/read-model";
import fc from "fast-check";
import { expect, test } from "vitest";
import { z } from "zod";
import { explainEntry } from "../src/explain-earning.ts";
import { earnings } from "../src/read-models/earnings.ts";
import { refusedRestatements } from "../src/read-models/refused-restatements.ts";
import { interleaved } from "./interleaved.ts";
import { joined, listed, metricStream, type Row, sales } from "./sample.ts";
import { type Recorded, recorded, World } from "./world.ts";

/** What earnings records of bo's sales on two days; ana referred him. */
function history(): Recorded[] {
  const world = new World().hear("product/mug", listed(25)).begin("2026-04-30");
  world.hear("partnership/ana", joined("ana", "2026-01-02"));
  world.hear(
    "partnership/bo",
    joined("bo", "2026-01-02", { referrer_creator_id: "ana", referral_percent: 5 }),
  );
  const rows: Row[] = [
    { date: "2026-01-18", total: "80.00" },
    { date: "2026-01-19", total: "10.00" },
    { date: "2026-01-18", total: "50.00", revision: 2, synced_on: "2026-02-20" },
    { date: "2026-01-18", total: "45.00", revision: 3, synced_on: "2026-04-01" },
    { date: "2026-01-19", total: "11.00", revision: 2, synced_on: "2026-04-01" },
    { date: "2026-01-19", total: "10.00", revision: 3, synced_on: "2026-04-02" },
  ];
  for (const row of rows) world.hear(metricStream(row.date), sales({ ...row, creator: "bo" }));
  const commissions = new Map<string, string>();
  return world.told.map((event) => {
    const { metric_id, earning_id, earning_type } = event.data as DataOf<typeof EarningAccrued>;
    if (earning_type === "commission") commissions.set(metric_id, earning_id);
    return recorded(commissions, `earning/${earning_id ?? commissions.get(metric_id)}`, event);
  });
}

/** Folds as the runtime does: documents live in their stored form. */
function fold<T>(model: ReadModel<T>, events: readonly Recorded[]): Map<string, T> {
  const stored = new Map<string, unknown>();
  for (const event of events) {
    const handler = model.on.find(({ event: type }) => type.type === event.type);
    if (!handler) continue;
    const id = model.key(event) as string;
    const document = stored.has(id) ? z.decode(model.schema, stored.get(id) as never) : null;
    const next = handler.fold(document as T | null, event as Heard<string, never>);
    if (next === null) stored.delete(id);
    else stored.set(id, JSON.parse(JSON.stringify(z.encode(model.schema, next as never))));
  }
  return new Map([...stored].map(([id, document]) => [id, z.decode(model.schema, document as never) as T]));
}

const bytes = (documents: Map<string, unknown>) =>
  canonical(
    [...documents]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([id, document]) => [
        id,
        JSON.stringify(document, (_, value) => (typeof value === "bigint" ? `${value}n` : value)),
      ]),
  );

const [bos, anas] = (() => {
  const documents = [...fold(earnings, history()).values()].filter(({ date }) => date === "2026-01-18");
  return [
    documents.find(({ creator_id }) => creator_id === "bo")!,
    documents.find(({ creator_id }) => creator_id === "ana")!,
  ];
})();

test("an earning is worth the sum of its entries: 80.00 x 25 % - 30.00 x 25 % = 20.0000 - 7.5000", () => {
  expect(bos).toMatchObject({ amount: 125_000n, sales_amount: 5000n, commission_rate: 25 });
  expect(bos.entries.map(({ amount }) => amount)).toEqual([200_000n, -75_000n]);
  expect(anas).toMatchObject({ amount: 25_000n, earning_type: "referral", referred_creator_id: "bo" });
});

test("an accrual is explained by the metric's revision at the percent kept", () => {
  const node = explainEntry(bos, `${bos.id}@1`, true)!;
  expect(ExplainNode.parse(node)).toMatchObject({
    kind: "earning",
    title: "Commission on sales of $80.00 on 2026-01-18",
    amounts: { delta: "20.0000", sales_amount: "80.0000" },
    explains: "delta",
    formula: "sales x 25 %",
    children: [{ kind: "metric", id: `${bos.metric_id}@1`, value: "total", percent: 25 }],
    details: { rate_scope: "product", commission_rate: 25, rate_effective_from: null, rate_set_by: null },
  });
});

test("an adjustment is explained by the later revision less the earlier", () => {
  const node = explainEntry(bos, `${bos.id}@2`, true)!;
  expect(ExplainNode.parse(node)).toMatchObject({
    title: "Commission on sales of 2026-01-18, restated by -$30.00",
    amounts: { delta: "-7.5000", sales_amount: "-30.0000" },
    children: [
      { id: `${bos.metric_id}@2`, percent: 25 },
      { id: `${bos.metric_id}@1`, percent: -25 },
    ],
  });
});

test("a referral earning is explained by the referred creator's sales", () => {
  expect(explainEntry(anas, `${anas.id}@1`, true)).toMatchObject({
    title: "Referral commission on sales of $80.00 on 2026-01-18",
    formula: "sales x 5 %",
    details: { rate_scope: "referral", referred_creator_id: "bo", rate_effective_from: "2026-01-02" },
  });
});

test("who referred the creator is told the share, and not sent on to reports that are not theirs", () => {
  expect(explainEntry(anas, `${anas.id}@2`, false)).toMatchObject({
    amounts: { delta: "-1.5000" },
    explains: "delta",
    parts: [{ label: "5 % of what the creator you referred sold", amount: "-1.5000" }],
    children: [],
  });
});

test("an entry that there isn't is not explained", () => {
  for (const id of [`${bos.id}@0`, `${bos.id}@3`, `${bos.id}@01`, bos.id, "@1"])
    expect(explainEntry(bos, id, true)).toBeNull();
});

test("what came too late waits for review, by link and date, until the report takes it back", () => {
  const before = history().slice(0, -1);
  expect([...fold(refusedRestatements, before).values()]).toMatchObject([
    { link_id: "l1", date: "2026-01-18", accrued: 5000n, reported: 4500n, revision: 3 },
    { link_id: "l1", date: "2026-01-19", accrued: 1000n, reported: 1100n, revision: 2 },
  ]);
  expect([...fold(refusedRestatements, history()).values()]).toMatchObject([{ date: "2026-01-18" }]);
});

test("however the streams are interleaved, the documents are the same, byte for byte", () => {
  const events = history();
  fc.assert(
    fc.property(fc.infiniteStream(fc.nat()), (choices) => {
      const order = interleaved(events, ({ stream }) => stream, choices);
      expect(bytes(fold(earnings, order))).toBe(bytes(fold(earnings, events)));
      expect(bytes(fold(refusedRestatements, order))).toBe(bytes(fold(refusedRestatements, events)));
    }),
    { numRuns: 50 },
  );
});
