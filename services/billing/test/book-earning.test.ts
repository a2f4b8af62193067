import type { App } from "@tributary/runtime/testing/harness";
import { expect, test } from "vitest";
import { accrued, adjusted, comes, dayBegins, rests, story, through } from "./fixtures/money-story.ts";

const booked = async (app: App) =>
  (await app.events())
    .filter(({ type }) => type === "EarningBooked")
    .map(({ stream, data }) => [stream, data.booked_as, data.amount, data.entry])
    .sort();

test("what is earned is booked in its month, and each restatement once beside it", async () => {
  const { app } = await story("2026-01-10T02:00:00Z");
  await dayBegins(app, "2026-01-09");
  await app.hear("earning/e1", accrued({ date: "2026-01-08", amount: "30.1250" }));
  await app.hear("earning/e1", adjusted({ date: "2026-01-08", revision: 2, amount: "-1.2500" }));
  await app.hear("earning/e1", adjusted({ date: "2026-01-08", revision: 2, amount: "-1.2500" }));
  await rests(app);

  expect(await booked(app)).toEqual([
    ["statement/2026-01:b1:c1", "commission", "-1.2500", 2],
    ["statement/2026-01:b1:c1", "commission", "30.1250", 1],
  ]);
});

test("an earning heard before any day has begun waits for its month to be opened", async () => {
  const { app } = await story("2026-01-10T02:00:00Z");
  await app.hear("earning/e1", accrued({ date: "2026-01-08", amount: "1.0000" }));
  await rests(app);
  expect((await app.held()).map(({ cause }) => cause)).toEqual([
    "no month is open yet for an amount of 2026-01-08",
  ]);

  await dayBegins(app, "2026-01-09");
  await rests(app);
  expect(await booked(app)).toEqual([["statement/2026-01:b1:c1", "commission", "1.0000", 1]]);
  expect(await app.held()).toEqual([]);
});

test("between the first and the close both months are open, and after it a late amount is an adjustment of the next", async () => {
  const { app } = await story("2026-01-31T20:00:00Z");
  await dayBegins(app, "2026-01-31");
  await comes(app, "2026-02-02T02:00:00Z");
  await app.hear("earning/e1", accrued({ earning: "e1", date: "2026-01-31", amount: "1.0000" }));
  await app.hear("earning/e2", accrued({ earning: "e2", date: "2026-02-01", amount: "2.0000" }));
  await app.hear("accrual/b1", through("2026-02-02"));
  await rests(app);
  await comes(app, "2026-02-03T08:05:00Z");
  await app.hear(
    "earning/e1",
    adjusted({ earning: "e1", date: "2026-01-31", revision: 2, amount: "-0.2500" }),
  );
  await app.hear(
    "earning/e3",
    accrued({ earning: "e3", date: "2026-01-30", amount: "4.0000", type: "referral" }),
  );
  await app.hear(
    "earning/e2",
    adjusted({ earning: "e2", date: "2026-02-01", revision: 2, amount: "0.5000" }),
  );
  await rests(app);

  expect(await booked(app)).toEqual([
    ["statement/2026-01:b1:c1", "commission", "1.0000", 1],
    ["statement/2026-02:b1:c1", "adjustment", "-0.2500", 2],
    ["statement/2026-02:b1:c1", "adjustment", "4.0000", 1],
    ["statement/2026-02:b1:c1", "commission", "0.5000", 2],
    ["statement/2026-02:b1:c1", "commission", "2.0000", 1],
  ]);
});

test("everything heard twice from zero, a month having closed in between, changes nothing and calls nobody", async () => {
  const { app } = await story("2026-01-20T20:00:00Z");
  await dayBegins(app, "2026-01-20");
  await app.hear("earning/e1", accrued({ date: "2026-01-19", amount: "30.1250" }));
  await app.hear("accrual/b1", through("2026-02-02"));
  await comes(app, "2026-02-03T08:05:00Z");
  await app.hear("earning/e1", adjusted({ date: "2026-01-19", revision: 2, amount: "1.0000" }));

  await rests(app);
  expect(await app.heardTwiceFromZero()).toEqual({ events: 0, calls: 0, held: [] });
});
