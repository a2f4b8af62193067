import {
  BillingResult,
  CycleDetail,
  CycleList,
  Earnings,
  Reconciliation,
} from "@tributary/contracts/http/billing";
import { type App, as } from "@tributary/runtime/testing/harness";
import { expect, test } from "vitest";
import {
  accrued,
  comes,
  dayBegins,
  paidByPaypal,
  pays,
  rests,
  story,
  through,
} from "./fixtures/money-story.ts";

async function january(): Promise<App> {
  const { app } = await story("2026-01-20T20:00:00Z");
  await dayBegins(app, "2026-01-20");
  await pays(app, "b1");
  await paidByPaypal(app, "c1");
  await app.hear("earning/e1", accrued({ earning: "e1", date: "2026-01-17", amount: "20.0049" }));
  await app.hear(
    "earning/e2",
    accrued({ earning: "e2", creator: "c2", date: "2026-01-18", amount: "3.0000", type: "referral" }),
  );
  await app.hear("earning/e3", accrued({ earning: "e3", brand: "b2", date: "2026-01-18", amount: "7.0000" }));
  await app.hear("accrual/b1", through("2026-02-02"));
  await app.hear("accrual/b2", through("2026-02-02", "b2"));
  await comes(app, "2026-02-03T08:05:00Z");
  await app.hear("earning/e4", accrued({ earning: "e4", date: "2026-02-04", amount: "1.0000" }));
  await rests(app);
  return app;
}

test("a brand sees its months and nobody else's", async () => {
  const app = await january();
  const list = CycleList.parse((await app.as(as.brand("b1")).get("/api/billing/cycles")).body);
  expect(list.items).toMatchObject([
    { month: "2026-02", status: "open", commission: "1.0000", carried_in: "3.0049" },
    {
      month: "2026-01",
      status: "settled",
      commission: "20.0049",
      referral: "3.0000",
      carried_out: "3.0049",
      charged: "20.00",
      gross: "21.16",
      fees: "1.16",
      creators: 2,
      creators_paid: 1,
    },
  ]);
  const url = `/api/billing/cycles/${list.items[1]!.cycle_id}`;
  const detail = CycleDetail.parse((await app.as(as.brand("b1")).get(url)).body);
  expect(detail.statements.map(({ creator_id, charged, rail }) => [creator_id, charged, rail])).toEqual([
    ["c1", "20.00", "paypal"],
    ["c2", "0.00", "none"],
  ]);
  expect(detail.charges).toMatchObject([
    {
      kind: "platform",
      amount: "20.25",
      amount_grossed_cents: 2116,
      status: "succeeded",
      attempts: [{ attempt: 1, outcome: "succeeded" }],
      breakdown: [{ creator_id: "c1", net_cents: 2000, payout_fee_cents: 25 }],
    },
  ]);
  const other = CycleDetail.parse((await app.as(as.brand("b2")).get(url)).body);
  expect(other.statements.map(({ brand_id }) => brand_id)).toEqual(["b2"]);
  expect(other.charges).toEqual([]);
  expect((await app.as(as.brand("b1")).get("/api/billing/nothing")).status).toBe(404);
});

test("a creator sees what is pending, carried and paid, entry by entry", async () => {
  const app = await january();
  const body = Earnings.parse((await app.as(as.creator("c1")).get("/api/earnings")).body);
  expect(body.totals).toEqual({
    pending: "1.0000",
    carried: "7.0049",
    charging: "0.0000",
    paid: "20.0000",
    referral: "0.0000",
  });
  expect(body.items.map(({ earning_id, amount, state }) => [earning_id, amount, state])).toEqual([
    ["e4", "1.0000", "pending"],
    ["e3", "7.0000", "carried"],
    ["e1", "20.0049", "paid"],
  ]);
  const one = Earnings.parse((await app.as(as.creator("c1")).get("/api/earnings?brand_id=b2")).body);
  expect(one.items).toHaveLength(1);
  const { items } = (await app.as(as.creator("c2")).get("/api/earnings/statements")).body;
  expect(items).toMatchObject([
    { month: "2026-02", carried_in: "3.0000", issued: false },
    {
      month: "2026-01",
      referral: "3.0000",
      carried_out: "3.0000",
      carried_reason: "no_payout_method",
      issued: true,
    },
  ]);
});

test("the whole result and the reconciliation are for admins only, and fit their contracts", async () => {
  const app = await january();
  for (const path of ["/api/billing/result", "/api/billing/reconciliation"]) {
    expect((await app.as(as.brand("b1")).get(path)).status).toBe(403);
    expect((await app.as(as.creator("c1")).get(path)).status).toBe(403);
  }
  const result = BillingResult.parse((await app.as(as.admin()).get("/api/billing/result")).body);
  expect(result.cycles.map(({ month, status, lines }) => [month, status, lines.length])).toEqual([
    ["2026-01", "settled", 3],
  ]);
  expect(
    result.open.map(({ brand_id, creator_id, carried_in, commission }) => [
      brand_id,
      creator_id,
      carried_in,
      commission,
    ]),
  ).toEqual([
    ["b1", "c1", "0.0049", "1.0000"],
    ["b1", "c2", "3.0000", "0.0000"],
    ["b2", "c1", "7.0000", "0.0000"],
  ]);
  const books = Reconciliation.parse((await app.as(as.admin()).get("/api/billing/reconciliation")).body);
  expect(books).toMatchObject({ ledger_sum: "0.0000", difference: "0.0000" });
});
