import { expect, test } from "vitest";
import { signCaller } from "../src/http/internal-token.ts";
import { as } from "../src/testing/harness.ts";
import { databaseFor } from "./database.ts";
import { Program, type Said } from "./program.ts";
import type { Serving } from "./programs/serve.ts";
import { till } from "./toys/till.ts";
import { welcome } from "./toys/welcome.ts";

const KEY = "key";

/** Two processes of one service and one of another that hears it, as a browser reaches them behind a gateway. */
async function served() {
  const [billing, landing] = await Promise.all([databaseFor(till), databaseFor(welcome)]);
  const serve = (service: string) =>
    Program.start("serve", {
      service,
      now: "2026-01-05T12:00:00Z",
      key: KEY,
      urls: { billing, landing },
      env: { PARTNER_URL: "http://127.0.0.1:1" },
    } satisfies Serving);
  const programs = await Promise.all([serve("till"), serve("till"), serve("welcome")]);
  const [one, two, hearing] = await Promise.all(
    programs.map(async (program) => (await program.hears<Said & { address: string }>("ready")).address),
  );
  const after = new Map<string, string>();
  const ask = async (
    address: string,
    method: string,
    path: string,
    { body, seen }: { body?: object; seen?: string | null } = {},
  ) => {
    const answer = await fetch(address + path, {
      method,
      headers: {
        ...(body ? { "content-type": "application/json" } : {}),
        "x-tributary-caller": signCaller(KEY, address === hearing ? "landing" : "billing", as.brand("b1")),
        ...(seen === null ? {} : { "x-after": seen ?? [...after.values()].join(";") }),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const position = answer.headers.get("x-position");
    if (position) after.set(position, position);
    const text = await answer.text();
    return { status: answer.status, body: text ? JSON.parse(text) : null, headers: answer.headers };
  };
  return { one: one!, two: two!, hearing: hearing!, ask, after };
}

const texts = ({ body }: { body: { items: { text: string }[] } }): string[] =>
  body.items.map(({ text }) => text);

test("a caller's next request sees what its last one did, at the same process, another one, and another service", async () => {
  const { one, two, hearing, ask, after } = await served();
  for (let n = 0; n < 40; n++) {
    const text = `note ${String(n).padStart(2, "0")}`;
    const at = n % 2 === 0 ? one : two;
    const other = n % 2 === 0 ? two : one;
    expect(await ask(at, "POST", "/api/notes", { body: { text } })).toMatchObject({ status: 201 });
    const [same, next, heard] = await Promise.all([
      ask(at, "GET", "/api/notes", { seen: null }),
      ask(other, "GET", "/api/notes"),
      ask(hearing, "GET", "/api/heard"),
    ]);
    for (const answer of [same, next, heard]) {
      expect(answer.headers.get("x-read-model")).toBe(null);
      expect(texts(answer)).toContain(text);
    }
    after.clear();
  }
});

test("a decision on what another service said sees what the caller did there", async () => {
  const { one, hearing, ask, after } = await served();
  for (let n = 0; n < 20; n++) {
    await ask(one, "POST", "/api/notes", { body: { text: `note ${n}` } });
    const listed = await ask(one, "GET", "/api/notes");
    const note = listed.body.items.find(({ text }: { text: string }) => text === `note ${n}`);
    expect(await ask(hearing, "POST", `/api/heard/${note.note_id}/welcome`)).toMatchObject({
      status: 200,
      body: { done: true },
    });
    after.clear();
  }
});

test("what has not arrived in time is said to be behind: an act is put off, a page is shown as it is", async () => {
  const { hearing, ask } = await served();
  const seen = "billing=3:100000";
  const [act, page, elsewhere] = await Promise.all([
    ask(hearing, "POST", "/api/heard/n1/welcome", { seen }),
    ask(hearing, "GET", "/api/heard", { seen }),
    ask(hearing, "GET", "/api/heard", { seen: "catalog=3:100000;nonsense;billing=x" }),
  ]);
  expect(act).toMatchObject({ status: 503, body: { code: "behind" } });
  expect(act.headers.get("retry-after")).toBe("1");
  expect(page).toMatchObject({ status: 200, body: { items: [] } });
  expect(page.headers.get("x-read-model")).toBe("behind");
  expect(elsewhere.headers.get("x-read-model")).toBe(null);
});
