import { asDay } from "@tributary/contracts/dates";
import { PartnershipEnded } from "@tributary/contracts/events/program";
import { type App, as } from "@tributary/runtime/testing/harness";
import { expect, test } from "vitest";
import {
  accrued,
  comes,
  dayBegins,
  paidByPaypal,
  paidByStripe,
  pays,
  rests,
  story,
  through,
} from "./fixtures/money-story.ts";

const result = async (app: App) => (await app.as(as.admin()).get("/api/billing/result")).body;
const types = async (app: App, stream: string) =>
  (await app.events()).filter((event) => event.stream.startsWith(stream)).map(({ type }) => type);

test("a month closes on its day: statements are rounded once, brands charged, creators paid by both rails", async () => {
  const { app, stripe, paypal } = await story("2026-01-20T20:00:00Z");
  await dayBegins(app, "2026-01-20");
  await pays(app, "b1");
  await paidByStripe(app, stripe, "c1");
  await paidByPaypal(app, "c2");
  await paidByPaypal(app, "c3");
  await app.hear(
    "earning/e1",
    accrued({ earning: "e1", creator: "c1", date: "2026-01-18", amount: "30.1250" }),
  );
  await app.hear(
    "earning/e2",
    accrued({ earning: "e2", creator: "c2", date: "2026-01-18", amount: "41.8840" }),
  );
  await app.hear(
    "earning/e3",
    accrued({ earning: "e3", creator: "c3", date: "2026-01-18", amount: "9.9900" }),
  );
  await app.hear(
    "earning/e4",
    accrued({ earning: "e4", creator: "c4", date: "2026-01-18", amount: "50.0000" }),
  );
  await app.hear("accrual/b1", through("2026-02-02"));
  await comes(app, "2026-02-01T08:05:00Z");
  expect(await types(app, "cycle/2026-01")).toEqual(["CycleOpened", "CycleClosing"]);
  await comes(app, "2026-02-03T08:05:00Z");

  const { cycles, platform_charges, open } = await result(app);
  expect(cycles).toMatchObject([
    {
      month: "2026-01",
      status: "settled",
      lines: [
        {
          creator_id: "c1",
          commission: "30.1250",
          net: "30.1250",
          rounding: "0.0050",
          charged: "30.13",
          carried_out: "-0.0050",
          carried_reason: null,
          rail: "stripe",
          charge_status: "succeeded",
          gross: "31.34",
          paid: "30.13",
        },
        {
          creator_id: "c2",
          net: "41.8840",
          rounding: "-0.0040",
          charged: "41.88",
          carried_out: "0.0040",
          rail: "paypal",
          charge_status: "succeeded",
          gross: null,
          paid: "41.88",
        },
        {
          creator_id: "c3",
          net: "9.9900",
          rounding: "0.0000",
          charged: "0.00",
          carried_out: "9.9900",
          carried_reason: "below_minimum",
          rail: "paypal",
          charge_status: null,
          gross: null,
          paid: "0.00",
        },
        {
          creator_id: "c4",
          net: "50.0000",
          charged: "0.00",
          carried_out: "50.0000",
          carried_reason: "no_payout_method",
          rail: "none",
          paid: "0.00",
        },
      ],
    },
  ]);
  expect(platform_charges).toMatchObject([
    { month: "2026-01", brand_id: "b1", net: "42.13", gross: "43.70", status: "succeeded" },
  ]);
  expect(
    open.map((line: { month: string; creator_id: string; carried_in: string }) => [
      line.month,
      line.creator_id,
      line.carried_in,
    ]),
  ).toEqual([
    ["2026-02", "c1", "-0.0050"],
    ["2026-02", "c2", "0.0040"],
    ["2026-02", "c3", "9.9900"],
    ["2026-02", "c4", "50.0000"],
  ]);
  expect(
    stripe.sent.map(({ idempotency_key, amount_grossed_cents }) => [idempotency_key, amount_grossed_cents]),
  ).toEqual([
    ["chg:2026-01:b1:c1:a1", 3134n],
    ["chg:2026-01:b1:platform:a1", 4370n],
  ]);
  expect(paypal.sent).toMatchObject([
    { sender_batch_id: "pay:2026-01:b1:c2:a1", amount_cents: 4188n, receiver: "c2@mail.test" },
  ]);
  expect((await app.as(as.creator("c2")).get("/api/earnings/payouts")).body.items).toMatchObject([
    { rail: "paypal", amount: "41.88", status: "succeeded" },
  ]);
  expect((await app.as(as.creator("c1")).get("/api/earnings/payouts")).body.items).toMatchObject([
    { rail: "stripe", amount: "30.13", status: "succeeded", stripe_transfer_id: "tr_pi_1" },
  ]);
  expect((await app.as(as.admin()).get("/api/billing/reconciliation")).body).toMatchObject({
    ledger_sum: "0.0000",
    difference: "0.0000",
    ledger: { brand_due: "59.9890", creator_due: "-59.9890", cash_paypal: "-42.1300", payout_fees: "0.0000" },
  });
});

test("a brand whose report of the day before is missing keeps the month open for a day, and is then named", async () => {
  const { app } = await story("2026-01-20T20:00:00Z");
  await dayBegins(app, "2026-01-20");
  await app.hear("accrual/b1", through("2026-02-01"));
  await app.hear("accrual/b2", through("2026-02-02", "b2"));
  await comes(app, "2026-02-03T08:05:00Z");
  expect(await types(app, "cycle/2026-01")).toEqual(["CycleOpened", "CycleClosing"]);

  await comes(app, "2026-02-04T08:05:00Z");
  const closed = (await app.events()).find(({ type }) => type === "CycleClosed");
  expect(closed?.data).toMatchObject({
    month: "2026-01",
    closed_on: "2026-02-04",
    incomplete: [{ brand_id: "b1", reason: "reports are accrued through 2026-02-01, not 2026-02-02" }],
  });
});

test("a report that comes late on the day of the close lets the month close", async () => {
  const { app } = await story("2026-01-20T20:00:00Z");
  await dayBegins(app, "2026-01-20");
  await app.hear("accrual/b1", through("2026-02-01"));
  await comes(app, "2026-02-03T08:05:00Z");
  await app.hear("accrual/b1", through("2026-02-02"));
  await rests(app);
  app.clock.set("2026-02-03T08:20:00Z");
  await rests(app);
  expect(await types(app, "cycle/2026-01")).toEqual([
    "CycleOpened",
    "CycleClosing",
    "CycleClosed",
    "CycleTotalled",
    "CycleCharged",
  ]);
});

test("what was accrued and not yet booked keeps the month open", async () => {
  const { app } = await story("2026-01-20T20:00:00Z");
  await dayBegins(app, "2026-01-20");
  await app.hear("accrual/b1", through("2026-02-02", "b1", new Array(16).fill(99)));
  await comes(app, "2026-02-03T08:05:00Z");
  expect(await types(app, "cycle/2026-01")).toEqual(["CycleOpened", "CycleClosing"]);
});

test("statements wait until program has told all it decided before the day of the close", async () => {
  const { app } = await story("2026-01-20T20:00:00Z");
  await dayBegins(app, "2026-01-20");
  await app.hear("earning/e1", accrued({ date: "2026-01-18", amount: "3.0000" }));
  await app.hear("accrual/b1", through("2026-02-02"));
  await rests(app);
  app.clock.set("2026-02-03T08:05:00Z");
  await rests(app);
  expect(await types(app, "cycle/2026-01")).toEqual(["CycleOpened", "CycleClosing", "CycleClosed"]);
  expect((await app.events()).some(({ type }) => type === "StatementIssued")).toBe(false);

  await dayBegins(app, "2026-02-03");
  await rests(app);
  app.clock.set("2026-02-03T08:06:00Z");
  await rests(app);
  expect(await types(app, "statement/2026-01")).toEqual(["EarningBooked", "StatementIssued"]);
});

test("an ended partnership is paid its last dollars, and a December everybody's", async () => {
  const { app, stripe } = await story("2025-12-20T20:00:00Z");
  await dayBegins(app, "2025-12-20");
  await pays(app, "b1");
  await paidByStripe(app, stripe, "c1");
  await app.hear("earning/e1", accrued({ date: "2025-12-18", amount: "2.0000" }));
  await app.hear("accrual/b1", through("2026-01-02"));
  await comes(app, "2026-01-03T08:05:00Z");
  await app.hear("earning/e2", accrued({ earning: "e2", date: "2026-01-08", amount: "3.0000" }));
  await app.hear(
    "partnership/x",
    PartnershipEnded({
      partnership_id: "x",
      creator_id: "c1",
      brand_id: "b1",
      ended_on: asDay("2026-02-02"),
      by: "brand",
      reason: null,
    }),
  );
  await app.hear("accrual/b1", through("2026-02-02"));
  await comes(app, "2026-02-03T08:05:00Z");
  expect(
    (await result(app)).cycles.map(({ lines }: { lines: { charged: string }[] }) => lines[0]?.charged),
  ).toEqual(["2.00", "3.00"]);
});

test("three months below the minimum are enough: the fourth is paid", async () => {
  const { app, stripe } = await story("2026-01-20T20:00:00Z");
  await dayBegins(app, "2026-01-20");
  await pays(app, "b1");
  await paidByStripe(app, stripe, "c1");
  await app.hear("earning/e1", accrued({ date: "2026-01-18", amount: "1.0049" }));
  const closes = [
    "2026-02-03T08:05:00Z",
    "2026-03-03T08:05:00Z",
    "2026-04-03T07:05:00Z",
    "2026-05-03T07:05:00Z",
  ];
  for (const close of closes) {
    await app.hear("accrual/b1", through(`${close.slice(0, 8)}02`));
    await comes(app, `${close.slice(0, 8)}01T20:00:00Z`);
    await comes(app, close);
  }
  expect(
    (await result(app)).cycles.map(
      ({ lines }: { lines: { carried_reason: string; charged: string; carried_out: string }[] }) => [
        lines[0]?.carried_reason,
        lines[0]?.charged,
        lines[0]?.carried_out,
      ],
    ),
  ).toEqual([
    ["below_minimum", "0.00", "1.0049"],
    ["below_minimum", "0.00", "1.0049"],
    ["below_minimum", "0.00", "1.0049"],
    [null, "1.00", "0.0049"],
  ]);
});

test("the payout setting of the moment of the close counts, not the one of an hour later", async () => {
  const { app } = await story("2026-01-20T20:00:00Z");
  await dayBegins(app, "2026-01-20");
  await pays(app, "b1");
  await app.hear("earning/e1", accrued({ date: "2026-01-18", amount: "20.0000" }));
  await app.hear("accrual/b1", through("2026-02-02"));
  await rests(app);
  app.clock.set("2026-02-03T08:05:00Z");
  await rests(app);
  app.clock.set("2026-02-03T08:05:30Z");
  await paidByPaypal(app, "c1");
  await dayBegins(app, "2026-02-03");
  await rests(app);
  app.clock.set("2026-02-03T08:07:00Z");
  await rests(app);
  expect((await result(app)).cycles[0].lines).toMatchObject([
    { rail: "none", carried_reason: "no_payout_method" },
  ]);
});
