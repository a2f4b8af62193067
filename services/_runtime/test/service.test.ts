import fc from "fast-check";
import { expect, test } from "vitest";
import { z } from "zod";
import type { Positions } from "../src/act.ts";
import { settings } from "../src/client.ts";
import { BadConfig, readSettings } from "../src/config.ts";
import { readCaller, signCaller } from "../src/http/internal-token.ts";
import { readPositions, writePositions } from "../src/http/positions.ts";
import { logger } from "../src/logs.ts";
import { as, given } from "../src/testing/harness.ts";
import { databaseFor } from "./database.ts";
import { Program, type Said } from "./program.ts";
import type { Serving } from "./programs/serve.ts";
import { toy } from "./toy.ts";
import { bookkeeping, till } from "./toys/till.ts";

test("positions come back from a header as they were written, and what is no position is left out", () => {
  const places = fc.uniqueArray(fc.tuple(fc.integer({ min: 0, max: 15 }), fc.nat(2 ** 40)), {
    minLength: 1,
    selector: ([partition]) => partition,
  });
  const logs = fc.uniqueArray(fc.tuple(fc.stringMatching(/^[a-z]{1,12}$/), places), {
    selector: ([log]) => log,
  });
  fc.assert(
    fc.property(logs, (drawn) => {
      const positions: Positions = new Map(drawn.map(([log, at]) => [log, new Map(at)]));
      expect(readPositions(writePositions(positions))).toEqual(positions);
    }),
  );
  fc.assert(
    fc.property(fc.string(), (text) => {
      for (const at of readPositions(text).values())
        for (const [partition, sequence] of at) {
          expect(partition >= 0 && partition < 16).toBe(true);
          expect(Number.isSafeInteger(sequence)).toBe(true);
        }
    }),
  );
  expect(readPositions("program=3:7;;x=;catalog=16:4,2:9; billing=1:2")).toEqual(
    new Map([
      ["program", new Map([[3, 7]])],
      ["catalog", new Map([[2, 9]])],
      ["billing", new Map([[1, 2]])],
    ]),
  );
  expect(
    readPositions(`program=0:${"9".repeat(400)}`)
      .get("program")
      ?.get(0) ?? 0,
  ).toBe(0);
  expect(readPositions(undefined)).toEqual(new Map());
});

test("a configuration that is not complete names everything that is missing or wrong in one error", async () => {
  const card = settings(z.object({ STRIPE_KEY: z.string(), STRIPE_PORT: z.coerce.number().int() }));
  const mail = settings(z.object({ MAIL_FROM: z.email(), MAIL_NAME: z.string().default("us") }));
  const read = (env: Record<string, string>) => () => readSettings([card.schema, mail.schema], env);
  expect(read({ STRIPE_PORT: "eleven", MAIL_FROM: "nobody" })).toThrow(BadConfig);
  expect(read({ STRIPE_PORT: "eleven", MAIL_FROM: "nobody" })).toThrow(
    /^the configuration is not complete:\n {2}- STRIPE_KEY: is missing\n {2}- STRIPE_PORT: .+\n {2}- MAIL_FROM: .+$/,
  );
  const settled = read({ STRIPE_KEY: "k", STRIPE_PORT: "11", MAIL_FROM: "a@b.co", OTHER: "x" })();
  expect([...settled.values()]).toEqual([
    { STRIPE_KEY: "k", STRIPE_PORT: 11 },
    { MAIL_FROM: "a@b.co", MAIL_NAME: "us" },
  ]);
  await expect(given(bookkeeping, { env: {} })).rejects.toThrow("PARTNER_URL: is missing");
});

test("no secret and nothing personal gets into a log, however deep it stands", () => {
  const secrets = [
    "authorization",
    "cookie",
    "password",
    "email",
    "token",
    "access_token",
    "refresh_token",
    "client_secret",
  ];
  const more = [
    "id_token",
    "code_verifier",
    "paypal_email",
    "venmo_handle",
    "account_number",
    "routing_number",
    "secret",
  ];
  const lines: string[] = [];
  const log = logger("billing", "info", { write: (line) => void lines.push(line) });
  const nested = (depth: number, field: string): object =>
    depth === 0
      ? { [field]: "hush", brand_id: "b1" }
      : { inner: nested(depth - 1, field), list: [{ [field]: "hush" }] };
  for (const field of [...secrets, ...more])
    for (let depth = 0; depth < 6; depth++) log.info(nested(depth, field), "something happened");
  log.child({ email: "hush", request: { headers: { authorization: "hush" } } }).warn("from a child");
  log.error(
    { headers: { "Stripe-Signature": "hush", "X-Token": "hush", Authorization: "hush" } },
    "a header",
  );
  expect(lines.length).toBeGreaterThan(90);
  expect(lines.filter((line) => line.includes("hush"))).toEqual([]);
  expect(lines[0]).toContain('"brand_id":"b1"');
  expect(JSON.parse(lines[0]!)).toMatchObject({
    name: "billing",
    msg: "something happened",
    authorization: "[redacted]",
  });
});

test("what can't be stored is refused at the door, by the field's name", async () => {
  const app = await given(toy);
  for (const label of ["a\u0000b", "\ud83d", "x\udc00y"]) {
    const refused = await app.as(as.brand("b1")).post("/api/shelves", { label });
    expect(refused).toMatchObject({
      status: 400,
      body: { code: "invalid_input", errors: [{ field: "label" }] },
    });
  }
  expect(
    await app.as(as.brand("b1")).post("/api/shelves/a%00b/cups", { colour: "red", count: 1 }),
  ).toMatchObject({
    status: 400,
    body: { errors: [{ field: "shelf_id" }] },
  });
  expect(await app.as(as.brand("b1")).get("/api/shelves?after=%00")).toMatchObject({ status: 400 });
  expect(await app.as(as.brand("b1")).post("/api/shelves", { label: "😀" })).toMatchObject({ status: 201 });
});

test("a caller is believed only by a token made with this service's key, for this service, not a minute old", () => {
  const caller = as.brand("b1");
  const token = signCaller("key", "billing", caller);
  expect(readCaller("key", "billing", token)).toEqual(caller);
  expect(readCaller("key", "billing", signCaller("key", "billing", null))).toBe(null);
  const [body, mac] = token.split(".") as [string, string];
  const forged = Buffer.from(JSON.stringify({ aud: "billing", exp: 9e9, caller: as.admin() })).toString(
    "base64url",
  );
  for (const bad of [
    undefined,
    "",
    ".",
    body,
    `${body}.`,
    `${forged}.${mac}`,
    `${body}.${mac.slice(1)}`,
    `${token}.x.y`.slice(4),
  ])
    expect(readCaller("key", "billing", bad), String(bad)).toBe(undefined);
  expect(readCaller("other key", "billing", token)).toBe(undefined);
  expect(readCaller("key", "catalog", token)).toBe(undefined);
});

test("a service that is told to stop answers what it has begun, takes no more, and leaves nothing undone", {
  timeout: 60_000,
}, async () => {
  const database = await databaseFor(till);
  const config: Serving = {
    service: "till",
    now: "2026-01-05T12:00:00Z",
    key: "key",
    urls: { billing: database },
    env: { PARTNER_URL: "http://127.0.0.1:1" },
    waits: { type: "NoteWritten" },
  };
  const program = await Program.start("serve", config);
  const { address } = await program.hears<Said & { address: string }>("ready");
  const write = (text: string) =>
    fetch(`${address}/api/notes`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "x-tributary-caller": signCaller("key", "billing", as.brand("b1")),
      },
      body: JSON.stringify({ text }),
      signal: AbortSignal.timeout(5000),
    });
  const begun = write("begun");
  await program.hears("about to append");
  program.signal("SIGTERM");
  let accepted = 1;
  const turnedAway = async (): Promise<boolean> => {
    const answer = await write("late").catch(() => null);
    if (answer?.status === 201) accepted++;
    return answer === null || answer.status === 503;
  };
  await expect.poll(turnedAway, { timeout: 10_000 }).toBe(true);
  program.tell({ say: "append" });
  expect((await begun).status).toBe(201);
  await program.hears("stopped");
  expect(await program.end()).toBe(0);
  const texts = await database.sql<{ text: string }>("select data->>'text' as text from billing.events");
  expect(texts).toContainEqual({ text: "begun" });
  expect(texts).toHaveLength(accepted);
  const [left] = await database.sql<{ sessions: number }>(
    "select count(*)::int as sessions from pg_stat_activity where datname = current_database() and usename <> current_user",
  );
  expect(left!.sessions).toBe(0);
});
