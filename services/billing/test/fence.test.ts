import type { Running } from "@tributary/runtime/job";
import { as } from "@tributary/runtime/testing/harness";
import { expect, test } from "vitest";
import { totalMonth } from "../src/jobs/total-month.ts";
import { bookEarning } from "../src/reactions/book-earning.ts";
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

const calendar = {
  months: [
    { month: "2026-01", status: "open" },
    { month: "2026-02", status: "open" },
  ],
};

test("the cycles themselves decide: a month that closed since the calendar was told takes nothing more", () => {
  const { data } = accrued({ date: "2026-01-30", amount: "1.0000" });
  const heard = { type: "EarningAccrued", data } as never;
  const refs = bookEarning.andThen(heard, { calendar } as never) as unknown as { cycles: { id: string }[] };
  expect(refs.cycles.map(({ id }) => id)).toEqual(["cycle/2026-01", "cycle/2026-02", "cycle/2026-03"]);

  const cycles = [{ status: "closed" }, { status: "open" }, { status: "none" }];
  const read = { booked: { entries: 0, revision: 0 }, calendar, cycles };
  const decided = bookEarning.decide(heard, read as never, {} as never) as unknown as { stream: string }[];
  expect(decided.map(({ stream }) => stream)).toEqual(["statement/2026-02:b1:c1", "booking/e1"]);
});

test("nothing is totalled before every statement of the month is on the roster", async () => {
  const heads = Array.from({ length: 16 }, (_, partition) => (partition === 3 ? 8 : 0));
  const reads = (listed: number) => ({
    self: { status: "closed", closed_on: "2026-02-03" },
    days: heads.map(() => ({ date: "2026-02-03" })),
    listed: { position: heads.map((head) => (head === 0 ? 0 : listed)), held: [] },
    rows: [],
  });
  const acts: object[] = [];
  const running = (listed: number) =>
    ({
      ...{ key: "2026-01", now: "2026-02-03T08:05:00Z", heads: async () => heads },
      read: async () => reads(listed),
      act: async (refs: object) => void acts.push(refs),
    }) as unknown as Running;
  expect(await totalMonth.run(running(7))).toEqual({ again: "2026-02-03T08:05:00Z" });
  expect(acts).toHaveLength(0);
  expect(await totalMonth.run(running(8))).toBeUndefined();
  expect(acts).toHaveLength(1);
});
