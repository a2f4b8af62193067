import pg from "pg";
import { expect, onTestFinished, test, vi } from "vitest";
import { as, given } from "../src/testing/harness.ts";
import { bookkeeping, Earned, earnings, MonthClosed, months, statements } from "./toys/till.ts";

const env = { PARTNER_URL: "http://partner.test" };

test("everything heard twice from zero under a new name, a month having closed in between: no new event, no call", async () => {
  const calls: string[] = [];
  const app = await given(bookkeeping, {
    env,
    network: async (url, init) => {
      calls.push(`${init?.method ?? "GET"} ${url}`);
      return new Response("reference");
    },
  });
  const earn = (earning: string, cents: number) =>
    app.happened(earnings.at(earning), Earned({ earning, month: 1, cents }));
  await earn("e1", 100);
  await earn("e2", 200);
  await app.settled();
  await app.happened(months.at("1"), MonthClosed({ month: 1 }));
  await earn("e3", 400);
  await app.settled();
  const booked = (await app.events()).filter(({ stream }) => stream.startsWith("statement/"));
  expect(booked.map(({ stream, data }) => [stream, data.cents])).toEqual([
    [statements.at("1").id, 100],
    [statements.at("1").id, 200],
    [statements.at("2").id, 400],
  ]);
  expect(calls).toEqual(["POST http://partner.test/pay/month-1"]);
  expect(await app.heardTwiceFromZero()).toEqual({ events: 0, calls: 0, held: [] });
  expect(calls).toHaveLength(1);
});

test("a key whose twin is answered between the look at kept answers and the decision gets the twin's answer, not a refusal", async () => {
  const app = await given(bookkeeping, { env });
  const take = () => app.as(as.brand("b1")).put("/api/names/ada", {}, { "idempotency-key": "k" });
  const query = pg.Pool.prototype.query as unknown as (...all: unknown[]) => Promise<unknown>;
  let twin: Awaited<ReturnType<typeof take>> | null = null;
  let looked = false;
  const spy = vi.spyOn(pg.Pool.prototype, "query").mockImplementation(async function (
    this: pg.Pool,
    ...all: unknown[]
  ) {
    const answer = await query.apply(this, all);
    if ((all[0] as { name?: string }).name === "kept_answer" && !looked) {
      looked = true;
      twin = await take();
    }
    return answer;
  } as never);
  onTestFinished(() => spy.mockRestore());
  const answered = await take();
  expect(twin).toMatchObject({ status: 200, body: { taken: true } });
  expect(answered).toMatchObject({ status: 200, body: { taken: true } });
  expect(await app.events()).toHaveLength(1);
});
