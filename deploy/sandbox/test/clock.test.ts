import { mkdtempSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { type AnyPartner, partner } from "../src/core/partner.ts";
import { type RunningSandbox, startSandbox } from "../src/sandbox.ts";

type Bell = { rings: { at: string; rung: string | null }[] };
type BellChange = { ring: string } | { rung: number; at: string };

/** A partner with nothing but alarm bells: each ring sends a webhook. */
const bells = partner<Bell, BellChange>({
  name: "stripe",
  prefixes: ["/bells"],
  initial: () => ({ rings: [] }),
  apply(state, change) {
    if ("ring" in change) state.rings.push({ at: change.ring, rung: null });
    else state.rings[change.rung]!.rung = change.at;
  },
  routes(app, ctx) {
    app.post<{ Body: string }>("/bells", async ({ body }) => {
      ctx.record({ ring: body });
      return { id: ctx.id("bell_") };
    });
    app.get("/bells", async () => ctx.state);
  },
  nextDue: ({ rings }) =>
    rings
      .filter(({ rung }) => rung === null)
      .map(({ at }) => at)
      .sort()[0] ?? null,
  settle(ctx) {
    ctx.state.rings.forEach(({ at, rung }, index) => {
      if (rung !== null || at > ctx.now().toISOString()) return;
      ctx.record({ rung: index, at: ctx.now().toISOString() });
      ctx.webhooks.enqueue("stripe", JSON.stringify({ type: "bell.rung", index }));
    });
  },
  signs: ["stripe"],
  sign: ({ now, endpoint }) => ({ "x-signed": `${endpoint.secret} at ${now.toISOString()}` }),
}) as AnyPartner;

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

async function sandbox(
  directory = mkdtempSync(join(tmpdir(), "sandbox-")),
  clock = "2026-01-01T00:00:00.000Z",
): Promise<RunningSandbox> {
  const running = await startSandbox({ directory, clock, partners: [bells] });
  open.push(() => running.close());
  return running;
}

async function listen(
  answer: (url: string, body: string, headers: Record<string, unknown>) => [number, unknown],
) {
  const server: Server = createServer((request, reply) => {
    let body = "";
    request.on("data", (part) => {
      body += part;
    });
    request.on("end", () => {
      const [status, said] = answer(request.url ?? "", body, request.headers);
      reply.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(said));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  open.push(() => new Promise((resolve) => server.close(() => resolve())));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return `http://127.0.0.1:${address.port}`;
}

async function call(url: string, method: string, body?: unknown) {
  const answer = await fetch(url, { method, body: typeof body === "string" ? body : JSON.stringify(body) });
  return { status: answer.status, body: await answer.json() };
}

describe("the virtual clock", () => {
  it("goes from due moment to due moment and stops at each", async () => {
    const { url } = await sandbox();
    await call(`${url}/bells`, "POST", "2026-01-02T00:00:00.000Z");
    await call(`${url}/bells`, "POST", "2026-01-03T00:00:00.000Z");
    const { body } = await call(`${url}/_sandbox/clock`, "POST", { advance: "P3D" });
    expect(body).toEqual({ now: "2026-01-04T00:00:00.000Z", revision: 3, ticking: false, moments: 3 });
    const rings = (await call(`${url}/bells`, "GET")).body.rings;
    expect(rings.map(({ rung }: { rung: string }) => rung)).toEqual([
      "2026-01-02T00:00:00.000Z",
      "2026-01-03T00:00:00.000Z",
    ]);
  });

  it("leaves a moment only when the product has said that it is quiet, and stops at the product's own dues", async () => {
    const { url } = await sandbox();
    const asked: string[] = [];
    let restless = 2;
    const product = await listen((path) => {
      const revision = new URL(path, "http://p").searchParams.get("clock");
      asked.push(revision ?? "");
      if (revision === "1" && restless-- > 0)
        return [200, { quiet: false, next_due: null, waiting: ["ledger"] }];
      return [
        200,
        { quiet: true, next_due: revision === "0" ? "2026-01-01T06:00:00.000Z" : null, waiting: [] },
      ];
    });
    await call(`${url}/_sandbox/clock/quiet`, "PUT", { url: `${product}/quiet` });
    const { body } = await call(`${url}/_sandbox/clock`, "POST", { to: "2026-01-02T00:00:00Z" });
    expect(body.moments).toBe(2);
    expect(asked).toEqual(["0", "1", "1", "1", "2"]);
  });

  it("asks again before it leaves a moment in which something happened while it asked", async () => {
    const { url } = await sandbox();
    const asked: string[] = [];
    const server = createServer(async (request, reply) => {
      asked.push(new URL(request.url ?? "", "http://p").searchParams.get("clock") ?? "");
      if (asked.length === 1) await call(`${url}/bells`, "POST", "2026-01-05T00:00:00.000Z");
      reply.end(JSON.stringify({ quiet: true, next_due: null, waiting: [] }));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    open.push(() => new Promise((resolve) => server.close(() => resolve())));
    const { port } = server.address() as { port: number };
    await call(`${url}/_sandbox/clock/quiet`, "PUT", { url: `http://127.0.0.1:${port}/quiet` });
    await call(`${url}/_sandbox/clock`, "POST", { advance: "PT1H" });
    expect(asked).toEqual(["0", "0", "1"]);
  });

  it("refuses a second advance while one is under way, and a way back", async () => {
    const { url } = await sandbox();
    let release: (() => void) | undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const server = createServer(async (_request, reply) => {
      await held;
      reply.end(JSON.stringify({ quiet: true, next_due: null, waiting: [] }));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    open.push(() => new Promise((resolve) => server.close(() => resolve())));
    const address = server.address() as { port: number };
    await call(`${url}/_sandbox/clock/quiet`, "PUT", { url: `http://127.0.0.1:${address.port}/quiet` });
    const first = call(`${url}/_sandbox/clock`, "POST", { advance: "PT1H" });
    const arrived = new Promise<void>((resolve) => server.once("request", () => resolve()));
    await arrived;
    expect((await call(`${url}/_sandbox/clock`, "POST", { advance: "PT1H" })).status).toBe(409);
    release?.();
    expect((await first).status).toBe(200);
    expect((await call(`${url}/_sandbox/clock`, "POST", { to: "2025-12-31T00:00:00Z" })).status).toBe(409);
  });

  it("answers a long poll as soon as the clock has moved", async () => {
    const { url } = await sandbox();
    const poll = call(`${url}/_sandbox/clock?after=0&wait=20000`, "GET");
    await call(`${url}/_sandbox/clock`, "POST", { advance: "PT1M" });
    expect((await poll).body.revision).toBe(1);
  });
});

describe("a ticking clock", () => {
  it("lets things happen by themselves when their time comes, and can be moved forward too", async () => {
    const { url } = await sandbox(undefined, "ticking");
    let rung: (() => void) | undefined;
    const heard: number[] = [];
    const receiver = await listen((_path, body) => {
      heard.push(JSON.parse(body).index);
      rung?.();
      return [200, {}];
    });
    const nextRing = () =>
      new Promise<void>((resolve) => {
        rung = resolve;
      });
    await call(`${url}/_sandbox/webhooks`, "PUT", { stripe: { url: receiver, secret: "whsec_1" } });
    const soon = nextRing();
    await call(`${url}/bells`, "POST", new Date(Date.now() + 50).toISOString());
    await soon;
    await call(`${url}/bells`, "POST", new Date(Date.now() + 86_400_000).toISOString());
    const { body } = await call(`${url}/_sandbox/clock`, "POST", { advance: "P2D" });
    expect(heard).toEqual([0, 1]);
    expect(body.ticking).toBe(true);
    expect(Date.parse(body.now) - Date.now()).toBeGreaterThan(1.9 * 86_400_000);
  });
});

describe("webhooks", () => {
  it("are tried again on the virtual clock until they are accepted, and signed anew each time", async () => {
    const { url } = await sandbox();
    const heard: unknown[] = [];
    const receiver = await listen((_path, body, headers) => {
      heard.push([JSON.parse(body).type, headers["x-signed"]]);
      return [heard.length < 3 ? 500 : 200, {}];
    });
    await call(`${url}/_sandbox/webhooks`, "PUT", { stripe: { url: receiver, secret: "whsec_1" } });
    await call(`${url}/bells`, "POST", "2026-01-01T01:00:00.000Z");
    await call(`${url}/_sandbox/clock`, "POST", { advance: "P1D" });
    expect(heard).toEqual([
      ["bell.rung", "whsec_1 at 2026-01-01T01:00:00.000Z"],
      ["bell.rung", "whsec_1 at 2026-01-01T01:01:00.000Z"],
      ["bell.rung", "whsec_1 at 2026-01-01T01:06:00.000Z"],
    ]);
    const { deliveries } = (await call(`${url}/_sandbox/deliveries`, "GET")).body;
    expect(deliveries[0].outcome).toBe("delivered");
    await call(`${url}/_sandbox/deliveries/${deliveries[0].id}/redeliver`, "POST");
    expect(heard).toHaveLength(4);
  });

  it("come in another order when shuffled, the same for the same seed", async () => {
    const orderWith = async (shuffle: number | null) => {
      const { url } = await sandbox();
      const heard: number[] = [];
      const receiver = await listen((_path, body) => {
        heard.push(JSON.parse(body).index);
        return [200, {}];
      });
      await call(`${url}/_sandbox/webhooks`, "PUT", { stripe: { url: receiver, secret: "whsec_1" } });
      await call(`${url}/_sandbox/webhooks/modes`, "PUT", { shuffle });
      for (let n = 0; n < 8; n++) await call(`${url}/bells`, "POST", "2026-01-01T01:00:00.000Z");
      await call(`${url}/_sandbox/clock`, "POST", { advance: "PT2H" });
      return heard;
    };
    expect(await orderWith(null)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    const shuffled = await orderWith(3);
    expect(shuffled).not.toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect([...shuffled].sort()).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(await orderWith(3)).toEqual(shuffled);
  });

  it("come several times, not at all, or badly signed when told to", async () => {
    const { url } = await sandbox();
    const heard: string[] = [];
    const receiver = await listen((_path, _body, headers) => {
      heard.push(String(headers["x-signed"]));
      return [200, {}];
    });
    await call(`${url}/_sandbox/webhooks`, "PUT", { stripe: { url: receiver, secret: "whsec_1" } });
    const ringNow = async (modes: unknown) => {
      heard.length = 0;
      await call(`${url}/_sandbox/webhooks/modes`, "PUT", modes);
      await call(`${url}/bells`, "POST", "2026-01-01T00:00:00.000Z");
      await call(`${url}/_sandbox/clock`, "POST", { advance: "PT0S" });
      return [...heard];
    };
    expect(await ringNow({ duplicate: 3 })).toHaveLength(3);
    expect(await ringNow({ drop: ["bell.rung"] })).toEqual([]);
    expect(await ringNow({ wrong_secret: true })).toEqual(["whsec_1x at 2026-01-01T00:00:00.000Z"]);
    expect(await ringNow({ stale_timestamp: true })).toEqual(["whsec_1 at 2025-12-31T23:50:00.000Z"]);
  });
});

describe("injected faults", () => {
  it("do the work and lose the answer when the connection is reset afterwards", async () => {
    const { url } = await sandbox();
    await call(`${url}/_sandbox/faults`, "POST", {
      partner: "stripe",
      method: "POST",
      times: 1,
      action: "reset_after",
    });
    await expect(call(`${url}/bells`, "POST", "2027-01-01T00:00:00.000Z")).rejects.toThrow("fetch failed");
    expect((await call(`${url}/bells`, "GET")).body.rings).toHaveLength(1);
  });

  it.each([
    [{ status: 503 }, 503],
    [{ status: 429, retry_after: 42 }, 429],
  ])("answer %o without doing the work", async (action, status) => {
    const { url } = await sandbox();
    await call(`${url}/_sandbox/faults`, "POST", { path_regex: "^/bells", nth: 1, action });
    const answer = await fetch(`${url}/bells`, { method: "POST", body: "2027-01-01T00:00:00.000Z" });
    expect(answer.status).toBe(status);
    if (status === 429) expect(answer.headers.get("retry-after")).toBe("42");
    expect((await call(`${url}/bells`, "GET")).body.rings).toHaveLength(0);
  });

  it.each(["malformed_json", "truncate", "reset_before"])("spoil the answer by %s", async (action) => {
    const { url } = await sandbox();
    await call(`${url}/_sandbox/faults`, "POST", { method: "GET", path_regex: "^/bells", times: 1, action });
    await expect(call(`${url}/bells`, "GET")).rejects.toThrow();
    expect((await call(`${url}/bells`, "GET")).status).toBe(200);
  });
});

describe("the control plane", () => {
  it.each([
    ["PUT", "/_sandbox/webhooks", { stripe: { url: "http://127.0.0.1:1", secret: "no" } }],
    ["PUT", "/_sandbox/webhooks/modes", { duplicates: 3 }],
    ["POST", "/_sandbox/clock", { advance: "3 days" }],
    ["POST", "/_sandbox/clock", { advance: 3 }],
    ["POST", "/_sandbox/faults", { action: "explode" }],
    ["GET", "/_sandbox/clock?afterr=1", undefined],
  ])("refuses what it does not know: %s %s %o", async (method, path, body) => {
    const { url } = await sandbox();
    const answer = await call(url + path, method, body);
    expect(answer.status).toBe(400);
    expect(answer.body.error).toEqual(expect.any(String));
  });

  it("keeps a journal of what the partners were asked", async () => {
    const { url } = await sandbox();
    await call(`${url}/bells`, "GET");
    const { body } = await call(`${url}/_sandbox/journal?partner=stripe`, "GET");
    expect(body.counts).toEqual({ "stripe GET 200": 1 });
    expect(body.requests).toMatchObject([
      { method: "GET", path: "/bells", status: 200, at: "2026-01-01T00:00:00.000Z" },
    ]);
  });
});

it("goes on drawing ids where it was after a restart, and keeps what it knew", async () => {
  const directory = mkdtempSync(join(tmpdir(), "sandbox-"));
  const first = await sandbox(directory);
  const before = (await call(`${first.url}/bells`, "POST", "2027-01-01T00:00:00.000Z")).body.id;
  await open.pop()!();
  const second = await sandbox(directory);
  expect((await call(`${second.url}/bells`, "GET")).body.rings).toHaveLength(1);
  expect(before).toMatch(/^bell_[0-9A-Za-z]{24}$/);
});
