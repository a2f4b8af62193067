import { randomUUID } from "node:crypto";
import { eventsOf, type NewEvent } from "@tributary/contracts/event";
import pg from "pg";
import { expect, onTestFinished, test, vi } from "vitest";
import { z } from "zod";
import { anyhow, create, notYet, to } from "../src/decision.ts";
import { facts } from "../src/facts.ts";
import { logger } from "../src/logs.ts";
import { realClock } from "../src/ports/clock.ts";
import { reaction } from "../src/reaction.ts";
import { service } from "../src/service.ts";
import { openPool } from "../src/store/pool.ts";
import { Writer } from "../src/store/writer.ts";
import { stream, when } from "../src/stream.ts";
import { type App, given } from "../src/testing/harness.ts";
import { databaseFor } from "./database.ts";
import { Program } from "./program.ts";
import type { Serving } from "./programs/serve.ts";
import { ColourPriced, CupPlaced, toy } from "./toy.ts";

const event = eventsOf("program");
const Asked = event("Asked", z.object({ page: z.string(), n: z.int(), needs: z.string() }));
const Written = event("Written", z.object({ page: z.string(), n: z.int() }));

const questions = stream("question", null, [when(Asked, (state) => state)]);
const pages = stream("page", { last: 0 }, [when(Written, (_, { data }) => ({ last: data.n }))]);
const elsewhere = stream("elsewhere", null, [when(Written, (state) => state)]);

/** What is wrong with the code at the moment, by the name of what an event needs. */
const faults = new Set<string>();

const answers = facts("answers", z.object({ there: z.boolean() }), {
  on: [when(ColourPriced, () => ({ there: true }))],
  key: ({ data }) => data.colour,
});

const write = reaction("write", {
  on: [Asked],
  reads: ({ data }) => {
    if (faults.has(`reads ${data.needs}`)) throw new Error(`can't name what ${data.needs} reads`);
    return { page: pages.at(data.page), answer: answers.at(data.needs) };
  },
  andThen: ({ data }) => {
    if (faults.has(`then ${data.needs}`)) throw new Error(`can't name what follows ${data.needs}`);
    return {};
  },
  decide: ({ data: { page, n, needs } }, { answer }) => {
    if (faults.has(needs)) throw new Error(`${needs} breaks it`);
    if (needs !== "" && !answer && !needs.includes("!")) return notYet(`no answer for ${needs}`);
    const written = Written({ page, n });
    if (faults.has(`half ${needs}`))
      return [to(pages.at(page), written), to(elsewhere.at("unread"), written)];
    if (faults.has(`taken ${needs}`)) return [create(pages.at("first"), written)];
    return [to(pages.at(page), written), anyhow(elsewhere.at(page), written)];
  },
});

const writing = service({ name: "program", facts: [answers], reactions: [write] });

const ask = (app: App, page: string, ...needs: string[]) =>
  app.happened(questions.at(page), ...needs.map((one, n) => Asked({ page, n: n + 1, needs: one })));
const answer = (app: App, colour: string) => app.hear(`colour/${colour}`, ColourPriced({ colour, price: 1 }));

/** What has been written on each page, in the order of its stream. */
async function written(app: App): Promise<Record<string, number[]>> {
  const shown: Record<string, number[]> = {};
  for (const { stream: id, data } of await app.events()) {
    if (!id.startsWith("page/")) continue;
    shown[id.slice(5)] = [...(shown[id.slice(5)] ?? []), data.n as number];
  }
  return shown;
}
const causes = async (app: App) =>
  (await app.held()).map(({ stream: id, kind, cause }) => `${id} ${kind}: ${cause}`);
/** Failed events are tried again in real time; the test sees them through. */
const mended = (app: App) => expect.poll(() => app.held(), { timeout: 15_000 }).toEqual([]);

test("what can't be decided yet waits with its cause, its stream behind it, others go on; answers let it go on in order", async () => {
  const app = await given(writing);
  await ask(app, "a", "", "red", "", "blue", "");
  await ask(app, "b", "", "");
  await ask(app, "c", "blue");
  await app.settled();
  expect(await written(app)).toEqual({ a: [1], b: [1, 2] });
  expect(await causes(app)).toEqual([
    "question/a not-yet: no answer for red",
    "question/a not-yet: waits behind an earlier event of its stream",
    "question/a not-yet: waits behind an earlier event of its stream",
    "question/a not-yet: waits behind an earlier event of its stream",
    "question/c not-yet: no answer for blue",
  ]);
  await answer(app, "blue");
  await app.settled();
  expect(await written(app)).toEqual({ a: [1], b: [1, 2], c: [1] });
  await answer(app, "red");
  await app.settled();
  expect(await written(app)).toEqual({ a: [1, 2, 3, 4, 5], b: [1, 2], c: [1] });
  expect(await app.held()).toEqual([]);
});

test("a long stream that waits holds nobody else up, and nothing of it is lost or doubled", async () => {
  const app = await given(writing);
  for (let n = 0; n < 450; n += 150) {
    const more = (needs: string) =>
      Array.from({ length: 150 }, (_, m) => Asked({ page: "long", n: n + m + 1, needs }));
    await app.happened(questions.at("long"), ...more(n === 0 ? "red" : ""));
    await ask(app, `short${n}`, "", "");
  }
  await app.settled();
  expect(await written(app)).toEqual({ short0: [1, 2], short150: [1, 2], short300: [1, 2] });
  await answer(app, "red");
  await app.settled();
  expect((await written(app)).long).toEqual(Array.from({ length: 450 }, (_, n) => n + 1));
});

test("an answer that comes at the very moment its question is being held is not missed", async () => {
  const app = await given(writing);
  for (let n = 0; n < 40; n++) {
    await Promise.all([ask(app, `p${n}`, `colour${n}`, ""), answer(app, `colour${n}`)]);
    if (n % 4 === 0) await app.settled();
    if (n % 4 === 0) expect(await app.held(), `round ${n}`).toEqual([]);
  }
  await app.settled();
  expect(Object.values(await written(app))).toEqual(Array.from({ length: 40 }, () => [1, 2]));
});

/** Does something once, at the moment a query of the service comes by that the test is waiting for. */
function atQuery(
  when: (text: string, values: string) => "before" | "after" | false,
  act: (sql: (text: string) => Promise<unknown>) => Promise<void>,
): () => boolean {
  const query = pg.Pool.prototype.query as unknown as (...all: unknown[]) => Promise<unknown>;
  let acted = false;
  const spy = vi.spyOn(pg.Pool.prototype, "query").mockImplementation(async function (
    this: pg.Pool,
    ...all: unknown[]
  ) {
    const [asked, given] = all as [string | { text: string; values?: unknown[] }, unknown[] | undefined];
    const text = typeof asked === "string" ? asked : asked.text;
    const moment =
      !acted && when(text, JSON.stringify((typeof asked === "string" ? given : asked.values) ?? []));
    if (moment) acted = true;
    const sql = (text: string) => query.call(this, text);
    if (moment === "before") await act(sql);
    const result = await query.apply(this, all);
    if (moment === "after") await act(sql);
    return result;
  } as never);
  onTestFinished(() => spy.mockRestore());
  return () => acted;
}

test("an answer that comes between the decision to hold and the holding is not missed", async () => {
  const app = await given(writing);
  const came = atQuery(
    (text, values) => text.includes(".append(") && values.includes("no answer for red") && "before",
    async () => {
      await answer(app, "red");
      await expect
        .poll(async () => (await app.mounted.quiet()).waiting.filter((cause) => cause.includes("answers")), {
          interval: 5,
        })
        .toEqual([]);
    },
  );
  await ask(app, "a", "red", "");
  await app.settled();
  expect([came(), await written(app), await app.held()]).toEqual([true, { a: [1, 2] }, []]);
});

test("an event that comes while the one before it goes on doesn't wait behind nothing", async () => {
  const app = await given(writing);
  await ask(app, "a", "red");
  await app.settled();
  const came = atQuery(
    (text, values) =>
      text.includes("select distinct stream from runtime.held") && values.includes("question/a") && "after",
    async () => {
      await answer(app, "red");
      await expect.poll(() => app.held(), { interval: 5, timeout: 5000 }).toEqual([]);
    },
  );
  await app.happened(questions.at("a"), Asked({ page: "a", n: 2, needs: "" }));
  await app.settled();
  expect([came(), await written(app), await app.held()]).toEqual([true, { a: [1, 2] }, []]);
});

test("an event that comes while an operator discards the one before it doesn't wait behind nothing", async () => {
  const app = await given(writing);
  await ask(app, "a", "red");
  await app.settled();
  const discarded = atQuery(
    (text, values) =>
      text.includes("select distinct stream from runtime.held") && values.includes("question/a") && "after",
    async (sql) => void (await sql("delete from runtime.held")),
  );
  await app.happened(questions.at("a"), Asked({ page: "a", n: 2, needs: "" }));
  await app.settled();
  expect([discarded(), await written(app), await app.held()]).toEqual([true, { a: [2] }, []]);
});

test("what is held while somebody finds that nothing is held is not forgotten", async () => {
  const app = await given(writing);
  await ask(app, "z", "blue");
  await app.settled();
  let looks = 0;
  const held = atQuery(
    (text) =>
      text.includes("from runtime.held") && text.includes("order by reader") && ++looks === 2 && "after",
    async () => {
      await ask(app, "a", "red", "");
      await expect.poll(async () => (await app.held()).length, { interval: 5 }).toBe(2);
    },
  );
  await answer(app, "blue");
  await expect.poll(held, { interval: 5, timeout: 5000 }).toBe(true);
  await app.settled();
  await answer(app, "red");
  await app.settled();
  expect([await written(app), await app.held()]).toEqual([{ a: [1, 2], z: [1] }, []]);
});

test("what fails is held with its cause, its stream behind it, others go on; mended, it goes on in order, once", async () => {
  const app = await given(writing);
  onTestFinished(() => faults.clear());
  for (const fault of ["decide!", "reads reads!", "then then!", "half half!"]) faults.add(fault);
  await ask(app, "a", "", "decide!", "");
  await ask(app, "b", "reads!", "");
  await ask(app, "c", "then!", "");
  await ask(app, "d", "", "half!", "");
  await ask(app, "e", "", "");
  await app.happened(questions.at("f"), { ...Asked({ page: "f", n: 1, needs: "" }), json: { page: 7 } });
  await expect.poll(() => written(app), { timeout: 10_000 }).toEqual({ a: [1], d: [1], e: [1, 2] });
  await expect.poll(async () => (await app.held()).length, { timeout: 10_000 }).toBe(9);
  expect(
    (await causes(app)).filter((cause) => cause.includes("failed")).map((cause) => cause.split("\n")[0]),
  ).toEqual([
    "question/a failed: decide! breaks it",
    "question/b failed: can't name what reads! reads",
    "question/c failed: can't name what follows then!",
    "question/d failed: elsewhere/unread was not read by the decision that appends to it",
    expect.stringMatching(/^question\/f failed: /),
  ]);
  faults.clear();
  await expect
    .poll(() => written(app), { timeout: 15_000 })
    .toEqual({ a: [1, 2, 3], b: [1, 2], c: [1, 2], d: [1, 2, 3], e: [1, 2] });
  const counts = (await app.events()).filter(({ stream: id }) => id.startsWith("elsewhere/"));
  expect(counts).toHaveLength(12);
  expect((await app.held()).map(({ stream: id }) => id)).toEqual(["question/f"]);
});

test("a decision that can never stand is held in the end, and its neighbours go on", {
  timeout: 60_000,
}, async () => {
  const app = await given(writing);
  onTestFinished(() => faults.clear());
  await ask(app, "first", "");
  await app.settled();
  faults.add("taken taken!");
  await ask(app, "a", "taken!", "");
  await ask(app, "b", "");
  await expect
    .poll(() => causes(app), { timeout: 30_000 })
    .toContainEqual(expect.stringMatching(/^question\/a failed: .*in a row/));
  await expect.poll(async () => (await written(app)).b, { timeout: 10_000 }).toEqual([1]);
  faults.clear();
  await mended(app);
  expect(await written(app)).toEqual({ a: [1, 2], b: [1], first: [1] });
});

test("what a process held before it was killed is asked again by another that was there all along", {
  timeout: 60_000,
}, async () => {
  const [program, catalog] = await Promise.all([
    databaseFor(toy),
    databaseFor({ name: "catalog", logs: ["catalog"], tables: [] }),
  ]);
  const recorder = (log: string, url: string) => {
    const pool = openPool(url, { max: 1, log: logger("held", "silent") });
    onTestFinished(() => pool.end());
    const writer = new Writer(pool, log, realClock, () => undefined);
    return ({ type, json }: NewEvent, id: string) =>
      writer.append({
        append: [
          {
            stream: id,
            expect: -1,
            events: [{ id: randomUUID(), type, data: JSON.stringify(json), meta: '{"correlationid":"c"}' }],
          },
        ],
      });
  };
  const serve = () =>
    Program.start("serve", {
      service: "toy",
      now: "2026-01-05T12:00:00Z",
      key: "key",
      urls: { program, catalog },
    } satisfies Serving);
  const waiting = await serve();
  await waiting.hears("ready");
  await expect
    .poll(() => program.sql("select 1 from runtime.read_models where ready"), { timeout: 10_000 })
    .toHaveLength(1);
  waiting.signal("SIGSTOP");
  const holding = await serve();
  await holding.hears("ready");
  await recorder("program", program.url)(
    CupPlaced({ shelf_id: "s1", brand_id: "b1", colour: "red", count: 2 }),
    "shelf/s1",
  );
  await expect.poll(() => program.sql("select 1 from runtime.held"), { timeout: 10_000 }).toHaveLength(1);
  await holding.kill();
  waiting.signal("SIGCONT");
  await recorder("catalog", catalog.url)(ColourPriced({ colour: "red", price: 3 }), "colour/red");
  await expect
    .poll(() => program.sql("select data->>'price' as price from program.events where type = 'CupCounted'"), {
      timeout: 20_000,
    })
    .toEqual([{ price: "3" }]);
  expect(await program.sql("select 1 from runtime.held")).toEqual([]);
});
