import type { QuietReport } from "@tributary/runtime/quiet-report";
import { expect, test } from "vitest";
import { joinQuiet, type Round, waitingFor } from "../src/quiet.ts";
import { world } from "./world.ts";

const report = (process: string, more: Partial<QuietReport> = {}): QuietReport => ({
  process,
  clock: 4,
  quiet: true,
  next_due: null,
  waiting: [],
  heads: {},
  positions: {},
  ...more,
});
const attribution = (head: number, more: Partial<QuietReport> = {}) =>
  report("attribution", {
    heads: { attribution: [head, 0] },
    positions: { attribution: [head, 0] },
    ...more,
  });
const earnings = (position: number, more: Partial<QuietReport> = {}) =>
  report("earnings", { heads: { earnings: [0, 0] }, positions: { attribution: [position, 0] }, ...more });

/** Answers one round after the other, the last one for ever; counts how many were asked for. */
function rounds(...reports: QuietReport[][]) {
  let asked = 0;
  const ask = async (): Promise<Round> => ({
    reports: reports[Math.min(asked++, reports.length - 1)]!,
    silent: [],
  });
  return { ask, asked: () => asked };
}
const at = { clock: 4, waitMs: 1_000 };

test("two rounds that say the same make quiet, one does not", async () => {
  const { ask, asked } = rounds([attribution(7), earnings(7)]);
  expect(await joinQuiet(ask, at)).toEqual({ quiet: true, next_due: null, waiting: [] });
  expect(asked()).toBe(2);
});

test("an event that crossed between two processes while they were asked is not missed", async () => {
  const { ask, asked } = rounds(
    [attribution(7), earnings(7)],
    [attribution(8), earnings(8)],
    [attribution(8), earnings(8)],
  );
  expect(await joinQuiet(ask, at)).toMatchObject({ quiet: true });
  expect(asked()).toBe(3);
});

test.each([
  [
    "somebody is busy",
    [attribution(7), earnings(7, { quiet: false, waiting: ["2 jobs due"] })],
    "earnings: 2 jobs due",
  ],
  [
    "somebody follows another moment",
    [attribution(7), earnings(7, { clock: 3 })],
    "earnings follows move 3 of the clock, not 4",
  ],
  [
    "a reader is behind its source",
    [attribution(7), earnings(6)],
    "earnings has not heard all of attribution",
  ],
  [
    "a source's owner does not report",
    [earnings(7)],
    "earnings reads attribution, whose owner does not report",
  ],
])("not quiet while %s", async (_, reports, waiting) => {
  const { ask } = rounds(reports);
  expect(await joinQuiet(ask, { clock: 4, waitMs: 0 })).toEqual({
    quiet: false,
    next_due: null,
    waiting: [waiting],
  });
});

test("a process that doesn't answer is waited for", () => {
  expect(waitingFor({ reports: [], silent: ["billing"] }, 4)).toEqual(["billing does not answer"]);
});

test("what is due first anywhere is due next", async () => {
  const { ask } = rounds([
    report("one", { next_due: "2026-02-03T08:05:00.000Z" }),
    report("two", { next_due: "2026-01-31T08:00:00.000Z" }),
  ]);
  expect(await joinQuiet(ask, at)).toMatchObject({ next_due: "2026-01-31T08:00:00.000Z" });
});

test("waits for quiet as long as it is told to, in whatever round it comes", async () => {
  const busy = [attribution(7, { quiet: false }), earnings(7)];
  const { ask } = rounds(busy, busy, busy, [attribution(7), earnings(7)]);
  expect(await joinQuiet(ask, at)).toMatchObject({ quiet: true });
});

test("the gateway joins its own process with those elsewhere, for this machine only", async () => {
  const remote = await world({
    form: "remote",
    services: Object.fromEntries(
      ["identity", "catalog", "program", "attribution", "earnings", "billing", "landing"].map((name) => [
        name,
        (app: import("fastify").FastifyInstance) => app.get("/quiet", async () => report(name)),
      ]),
    ),
    options: { quiet: async () => [report("gateway", { next_due: "2026-02-01T00:00:00.000Z" })] },
  });
  const answer = await fetch(`${remote.url}/quiet?clock=4&wait=1000`);
  expect(await answer.json()).toEqual({ quiet: true, next_due: "2026-02-01T00:00:00.000Z", waiting: [] });
  expect(new Set(remote.seen.map(({ service }) => service)).size).toBe(7);
  expect(remote.seen.every(({ caller }) => caller === null)).toBe(true);
  expect((await fetch(`${remote.url}/quiet?clock=x`)).status).toBe(400);
  const far = await fetch(`${remote.url}/quiet?clock=4`, { headers: { "x-forwarded-for": "127.0.0.1" } });
  expect(far.status).toBe(404);
  expect((await remote.app.inject({ url: "/quiet?clock=4", remoteAddress: "10.0.0.7" })).statusCode).toBe(
    404,
  );
});
