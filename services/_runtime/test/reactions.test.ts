import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import type { NewEvent } from "@tributary/contracts/event";
import { expect, onTestFinished, test } from "vitest";
import { signCaller } from "../src/http/internal-token.ts";
import { logger } from "../src/logs.ts";
import { SetClock } from "../src/ports/clock.ts";
import type { QuietReport } from "../src/quiet-report.ts";
import { openPool } from "../src/store/pool.ts";
import { Writer } from "../src/store/writer.ts";
import { as } from "../src/testing/harness.ts";
import { type Database, databaseFor } from "./database.ts";
import { Program, type Said } from "./program.ts";
import type { Serving } from "./programs/serve.ts";
import { Earned, MonthClosed, till } from "./toys/till.ts";

const NOW = "2026-02-03T08:00:00Z";
const KEY = "key";

/** The till's database, something that records in it, and processes that serve it. */
async function tills() {
  const database = await databaseFor(till);
  const pool = openPool(database.url, { max: 2, log: logger("till", "silent") });
  onTestFinished(() => pool.end());
  const writer = new Writer(pool, "billing", new SetClock(NOW), () => undefined);
  const record = async (stream: string, ...events: NewEvent[]): Promise<void> => {
    const verdict = await writer.append({
      append: [
        {
          stream,
          expect: -1,
          events: events.map(({ type, json }) => ({
            id: randomUUID(),
            type,
            data: JSON.stringify(json),
            meta: JSON.stringify({ correlationid: "recorded" }),
          })),
        },
      ],
    });
    expect(verdict.refused).toBe(null);
  };
  const serve = (more: Partial<Serving> = {}): Promise<Program> =>
    Program.start("serve", {
      service: "till",
      now: NOW,
      key: KEY,
      urls: { billing: database },
      env: { PARTNER_URL: "http://127.0.0.1:1" },
      ...more,
    } satisfies Serving);
  return { database, record, serve };
}

const earned = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, n) => {
    const earning = `${(from + n) % 10}-${from + n}`;
    return [`earning/${earning}`, Earned({ earning, month: 1, cents: from + n })] as const;
  });

/** Waits until a process has nothing left to do. */
async function quiet(program: Program): Promise<void> {
  for (;;) {
    program.tell({ say: "quiet?" });
    if ((await program.hears<Said & QuietReport>("quiet")).quiet) return;
  }
}

const countsOf = (database: Database, type: string) =>
  database.sql<{ earning: string; times: number; month: number }>(
    `select data->>'earning' as earning, count(*)::int as times, min((data->>'month')::int) as month
     from billing.events where type = $1 and stream not like 'booking/%' group by 1 order by 1`,
    [type],
  );

test("a reaction killed between its steps has each of its units stand exactly once", {
  timeout: 60_000,
}, async () => {
  const { database, record, serve } = await tills();
  let sum = 0;
  const deaths: NonNullable<Serving["dies"]>[] = [
    { type: "Tallied", nth: 1, when: "after" },
    { type: "Booked", nth: 1, when: "before" },
    { type: "Tallied", nth: 2, when: "after" },
    { type: "Booked", nth: 2, when: "after" },
    { type: "Tallied", nth: 1, when: "before" },
  ];
  for (const [round, dies] of deaths.entries()) {
    const told = earned(round * 40, round * 40 + 40);
    await Promise.all(told.slice(0, 20).map(([stream, event]) => record(stream, event)));
    const program = await serve({ dies });
    await program.hears("ready").catch(() => undefined);
    for (const [stream, event] of told.slice(20)) {
      await record(stream, event);
      if (program.ended) sum++;
    }
    await program.end();
  }
  expect(sum).toBeGreaterThan(0);
  const last = await serve();
  await last.hears("ready");
  await quiet(last);
  for (const type of ["Tallied", "Booked"]) {
    const counts = await countsOf(database, type);
    expect(counts).toHaveLength(deaths.length * 40);
    expect(counts.filter(({ times }) => times !== 1)).toEqual([]);
  }
});

for (const takenOver of [true, false]) {
  const other = takenOver ? "another takes over" : "nobody takes over";
  test(`a process stopped between reading and appending while the month closes and ${other} books once, in the next month`, async () => {
    const { database, record, serve } = await tills();
    const stopped = await serve({ waits: { type: "Booked" } });
    await stopped.hears("ready");
    await record("earning/1-a", Earned({ earning: "1-a", month: 1, cents: 500 }));
    await stopped.hears("about to append");
    stopped.signal("SIGSTOP");
    await record("month/1", MonthClosed({ month: 1 }));
    if (takenOver) {
      const next = await serve();
      await next.hears("ready");
      await expect.poll(() => countsOf(database, "Booked"), { timeout: 10_000 }).toHaveLength(1);
    }
    stopped.tell({ say: "append" });
    stopped.signal("SIGCONT");
    await expect.poll(() => countsOf(database, "Booked"), { timeout: 10_000 }).toHaveLength(1);
    await record("earning/1-b", Earned({ earning: "1-b", month: 1, cents: 300 }));
    await expect
      .poll(() => countsOf(database, "Booked"), { timeout: 10_000 })
      .toEqual([
        { earning: "1-a", times: 1, month: 2 },
        { earning: "1-b", times: 1, month: 2 },
      ]);
    const tallies = await countsOf(database, "Tallied");
    expect(tallies.filter(({ times }) => times !== 1)).toEqual([]);
  });
}

test("one idempotency key sent at once to two processes: one event, the same answer twice, and neighbours are served", {
  timeout: 60_000,
}, async () => {
  const { database, serve } = await tills();
  const processes = await Promise.all([serve(), serve()]);
  const addresses = await Promise.all(
    processes.map(async (one) => (await one.hears<Said & { address: string }>("ready")).address),
  );
  const ask = async (address: string, method: string, path: string, key: string | null, body: object) => {
    const answer = await fetch(address + path, {
      method,
      headers: {
        "content-type": "application/json",
        "x-tributary-caller": signCaller(KEY, "billing", as.brand("b1")),
        ...(key ? { "idempotency-key": key } : {}),
      },
      body: JSON.stringify(body),
    });
    return { status: answer.status, body: await answer.json(), position: answer.headers.get("x-position") };
  };
  const twice = <T>(to: (address: string) => Promise<T>) =>
    Promise.all([...addresses, addresses[0]!].map(to));
  const keys = Array.from({ length: 25 }, (_, n) => n);
  const [written, taken, neighbours] = await Promise.all([
    Promise.all(
      keys.map((n) => twice((to) => ask(to, "POST", "/api/notes", `note-${n}`, { text: `note ${n}` }))),
    ),
    Promise.all(keys.map((n) => twice((to) => ask(to, "PUT", `/api/names/name-${n}`, `name-${n}`, {})))),
    Promise.all(
      keys.map((n) => ask(addresses[n % 2]!, "POST", "/api/notes", null, { text: `neighbour ${n}` })),
    ),
  ]);
  for (const [n, answers] of written.entries()) {
    expect(answers[0]).toMatchObject({ status: 201, body: { text: `note ${n}` } });
    for (const answer of answers) expect(answer).toEqual(answers[0]);
  }
  for (const answers of taken) {
    expect(answers[0]).toMatchObject({ status: 200, body: { taken: true } });
    for (const answer of answers) expect(answer).toEqual(answers[0]);
  }
  expect(neighbours.map(({ status }) => status)).toEqual(keys.map(() => 201));
  expect(
    await database.sql(
      "select type, count(*)::int as events from billing.events group by type order by type",
    ),
  ).toEqual([
    { type: "NameTaken", events: 25 },
    { type: "NoteWritten", events: 50 },
  ]);
});

test("an effect whose answer was lost by kill -9 asks the partner before it sends again", async () => {
  const { database, record, serve } = await tills();
  const journal: string[] = [];
  const paid = new Set<string>();
  let victim: Program | null = null;
  const server = createServer((request, response) => {
    const key = request.url!.replace("/pay/", "");
    journal.push(`${request.method} ${key}`);
    if (request.method === "POST") {
      paid.add(key);
      if (victim) void victim.kill();
      else response.end(`sent-${key}`);
    } else {
      response.statusCode = paid.has(key) ? 200 : 404;
      response.end(`found-${key}`);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as { port: number };
  const env = { PARTNER_URL: `http://127.0.0.1:${port}` };
  victim = await serve({ env });
  await victim.hears("ready");
  await record("month/1", MonthClosed({ month: 1 }));
  await victim.end();
  expect(journal).toEqual(["POST month-1"]);
  victim = null;
  await database.sql("update runtime.jobs set lease_until = now() - interval '1 second'");
  const next = await serve({ env });
  await next.hears("ready");
  const references = () =>
    database.sql<{ reference: string }>(
      "select data->>'reference' as reference from billing.events where type = 'Paid'",
    );
  await expect.poll(references, { timeout: 10_000 }).toEqual([{ reference: "found-month-1" }]);
  await record("month/2", MonthClosed({ month: 2 }));
  await expect.poll(references, { timeout: 10_000 }).toHaveLength(2);
  expect(journal).toEqual(["POST month-1", "GET month-1", "POST month-2"]);
});
