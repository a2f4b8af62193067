import { as } from "@tributary/runtime/testing/harness";
import { expect, test } from "vitest";
import { accrued, dayBegins, rests, story } from "./fixtures/money-story.ts";

test("amounts that stream in while the month closes are all booked once, none behind the fence, and every one is totalled", async () => {
  const { app } = await story("2026-01-31T20:00:00Z");
  await dayBegins(app, "2026-01-31");
  await dayBegins(app, "2026-02-03");
  await rests(app);
  const all = Array.from({ length: 400 }, (_, n) => n);
  const told = async (some: number[]) => {
    for (const n of some) {
      const earning = `e${n}`;
      await app.hear(
        `earning/${earning}`,
        accrued({ earning, creator: `c${n % 7}`, date: "2026-01-30", amount: "1.0000" }),
      );
      if (n % 20 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
  };
  await told(all.slice(0, 100));
  app.clock.set("2026-02-03T08:05:00Z");
  await told(all.slice(100));
  await rests(app);

  const events = await app.events();
  const booked = events.filter(({ type }) => type === "EarningBooked");
  expect(new Set(booked.map(({ data }) => data.earning_id)).size).toBe(400);
  expect(booked).toHaveLength(400);
  const late = booked.filter(({ data }) => data.month === "2026-02");
  expect(late.every(({ data }) => data.booked_as === "adjustment")).toBe(true);
  for (const issued of events.filter(({ type }) => type === "StatementIssued")) {
    const before = booked.filter(({ stream }) => stream === issued.stream);
    expect(issued.data.commission).toBe(`${before.length}.0000`);
    expect(before.every(({ version }) => version < issued.version)).toBe(true);
  }
  const { body } = await app.as(as.admin()).get("/api/billing/reconciliation");
  expect(body).toMatchObject({
    ledger_sum: "0.0000",
    difference: "0.0000",
    ledger: { brand_due: "400.0000" },
  });
});
