import { eventsOf } from "@tributary/contracts/event";
import { expect, test } from "vitest";
import { z } from "zod";
import { client } from "../src/client.ts";
import { to } from "../src/decision.ts";
import { job } from "../src/job.ts";
import { service } from "../src/service.ts";
import { stream, when } from "../src/stream.ts";
import { given } from "../src/testing/harness.ts";

const Closed = eventsOf("program")("Closed", z.object({ run: z.int() }));
const books = stream("books", { closes: 0 }, [when(Closed, ({ closes }) => ({ closes: closes + 1 }))]);
const database = client("database", ({ sql }) => sql);

/** What each run meets on its way, and how it ended. */
const runs: { gates: Promise<void>[]; ended: string[]; begun: number } = { gates: [], ended: [], begun: 0 };

const close = job("close", {
  cron: { rule: "0 3 * * *", zone: "UTC" },
  run: async (running) => {
    runs.begun++;
    await runs.gates.shift();
    const alive = await running.alive().then(
      () => "alive",
      (error: Error) => error.message,
    );
    await running
      .act({ books: books.at("b") }, () => [to(books.at("b"), Closed({ run: running.run }))])
      .then(
        () => runs.ended.push(`run ${running.run} wrote, ${alive}`),
        (error: Error) => {
          runs.ended.push(`${error.name}, ${alive}`);
          throw error;
        },
      );
    return undefined;
  },
});

const keeping = service({ name: "program", jobs: [close] });

test("a run that lost its lease to another can't write any more, and the next is due when its rule says", async () => {
  const app = await given(keeping, { now: "2026-01-05T02:00:00Z" });
  let goOn = (): void => undefined;
  runs.gates = [
    new Promise((resolve) => {
      goOn = resolve;
    }),
  ];
  const nextDue = async () => (await app.mounted.quiet()).next_due?.slice(0, 16);
  expect(await nextDue()).toBe("2026-01-05T03:00");
  app.clock.set("2026-01-05T03:00:01Z");
  await expect.poll(() => runs.begun, { timeout: 5000 }).toBe(1);
  const sql = app.mounted.acting("test").use(database);
  await sql.query("update runtime.jobs set lease_until = now() - interval '1 second'");
  await expect.poll(() => runs.ended, { timeout: 10_000 }).toEqual(["run 2 wrote, alive"]);
  goOn();
  await expect
    .poll(() => runs.ended, { timeout: 10_000 })
    .toEqual(["run 2 wrote, alive", "LeaseLost, run 1 of close has lost its lease"]);
  await app.settled();
  expect((await app.events()).map(({ data }) => data)).toEqual([{ run: 2 }]);
  expect(await nextDue()).toBe("2026-01-06T03:00");
});
