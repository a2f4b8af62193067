import type { FastifyInstance } from "fastify";
import { describe, expect, test } from "vitest";
import { identityReader } from "../src/identity-token.ts";
import { echo, known, verify, world } from "./world.ts";

const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });

describe.each(["mounted", "remote"] as const)("services %s", (form) => {
  test("somebody signed in is vouched for, with the address of the token", async () => {
    const { url, seen, people } = await world({ form });
    people.set("ana", known("ana"));
    expect((await fetch(`${url}/api/products`, bearer("ana"))).status).toBe(200);
    expect(seen.at(-1)).toMatchObject({
      service: "catalog",
      caller: { uid: "ana", email: "ana@example.com", brand_id: "brand-ana", role: "user" },
    });
    expect(seen.at(-1)!.caller).not.toHaveProperty("disabled");
  });

  test("a stranger is vouched for as nobody, and the service decides", async () => {
    const { url, seen } = await world({ form });
    expect((await fetch(`${url}/api/products`)).status).toBe(200);
    expect(seen.at(-1)!.caller).toBeNull();
  });

  test.each(["expired", "wrong-aud", "garbage"])(
    "a token that is %s is refused at the door",
    async (token) => {
      const { url, seen } = await world({ form });
      const answer = await fetch(`${url}/api/products`, bearer(token));
      expect(answer.status).toBe(401);
      expect(await answer.json()).toEqual({
        code: "not_authenticated",
        message: "User not authenticated",
        request_id: answer.headers.get("x-request-id"),
      });
      expect(seen).toEqual([]);
    },
  );

  test("anything but a bearer is refused at the door", async () => {
    const { url } = await world({ form });
    const answer = await fetch(`${url}/api/products`, { headers: { authorization: "Basic YTpi" } });
    expect(answer.status).toBe(401);
  });

  test("a disabled account is refused", async () => {
    const { url, people, seen } = await world({ form });
    people.set("eve", known("eve", { disabled: true }));
    const answer = await fetch(`${url}/api/products`, bearer("eve"));
    expect(answer.status).toBe(403);
    expect(await answer.json()).toMatchObject({ code: "account_disabled" });
    expect(seen).toEqual([]);
  });

  test("what a client says of itself changes nothing", async () => {
    const { url, seen, people } = await world({ form });
    people.set("eve", known("eve"));
    people.set("ana", known("ana"));
    await fetch(`${url}/api/products`, bearer("ana"));
    const stolen = seen.at(-1)!.headers["x-tributary-caller"] as string;
    await fetch(`${url}/api/products`, {
      headers: {
        authorization: "Bearer eve",
        cookie: "session=ana",
        "x-tributary-caller": stolen,
        "x-tributary-role": "admin",
        "x-user-id": "user-ana",
        "x-user-email": "ana@example.com",
        "x-request-id": "mine",
        "x-forwarded-for": "8.8.8.8",
        "x-session-id": "s1",
        "x-after": "program=3:7",
        traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
      },
    });
    const { headers, caller } = seen.at(-1)!;
    expect(caller).toMatchObject({ uid: "eve", brand_id: "brand-eve" });
    for (const name of ["authorization", "cookie", "x-user-id", "x-user-email", "x-tributary-role"])
      expect(headers).not.toHaveProperty(name);
    expect(headers["x-request-id"]).toMatch(/^[0-9a-f-]{36}$/);
    expect(headers["x-forwarded-for"]).toBe("127.0.0.1");
    expect(headers).toMatchObject({
      "x-session-id": "s1",
      "x-after": "program=3:7",
      traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
    });
  });

  test("a header cannot be saved from being dropped by naming it in Connection", async () => {
    const { app, seen, people } = await world({ form });
    people.set("eve", known("eve"));
    await app.inject({
      url: "/api/products",
      headers: { authorization: "Bearer eve", connection: "x-tributary-caller", "x-tributary-caller": "x.y" },
    });
    expect(seen.at(-1)!.caller).toMatchObject({ uid: "eve" });
  });

  test("positions come back to the caller", async () => {
    const { url } = await world({ form });
    const answer = await fetch(`${url}/api/products`);
    expect(answer.headers.get("x-position")).toBe("test=0:1");
  });

  test("the next request after signing up as a creator is a creator's", async () => {
    const signedUp = { creator: false };
    const { url, seen } = await world({
      form,
      services: {
        identity: (app) => identityOf(app, signedUp),
      },
    });
    await fetch(`${url}/api/products`, bearer("cleo"));
    expect(seen.at(-1)!.caller).toMatchObject({ uid: "cleo", user_id: null, creator_id: null });
    await fetch(`${url}/api/creators`, {
      method: "POST",
      body: "{}",
      headers: { authorization: "Bearer cleo", "content-type": "application/json" },
    });
    await fetch(`${url}/api/products`, bearer("cleo"));
    const asked = seen.filter(({ url }) => url === "/internal/callers/cleo");
    expect(asked.at(-1)!.headers["x-after"]).toBe("identity=3:42");
    expect(seen.at(-1)!.caller).toMatchObject({ user_id: "user-cleo", creator_id: "creator-cleo" });
  });

  test("a decision about somebody else counts at once, though the gateway's own memory lags", async () => {
    const decided = { creator: true };
    const { url, seen, people } = await world({
      form,
      services: { identity: (app) => identityOf(app, decided) },
    });
    people.set("ada", known("ada", { role: "admin" }));
    people.set("cleo", known("cleo", { user_type: "creator", brand_id: null }));
    await fetch(`${url}/api/products`, bearer("cleo"));
    expect(seen.at(-1)!.caller).toMatchObject({ creator_id: null });
    await fetch(`${url}/api/creators`, {
      method: "POST",
      body: "{}",
      headers: { authorization: "Bearer ada", "content-type": "application/json" },
    });
    await fetch(`${url}/api/products`, bearer("cleo"));
    expect(seen.at(-1)!.caller).toMatchObject({ creator_id: "creator-cleo" });
  });

  test("what a client has seen of identity elsewhere is never missing", async () => {
    const { url, seen, people } = await world({
      form,
      services: { identity: (app) => identityOf(app, { creator: true }) },
    });
    people.set("cleo", known("cleo", { user_type: "creator", brand_id: null }));
    await fetch(`${url}/api/products`, bearer("cleo"));
    expect(seen.at(-1)!.caller).toMatchObject({ creator_id: null });
    await fetch(`${url}/api/products`, {
      headers: { authorization: "Bearer cleo", "x-after": "identity=3:42;catalog=1:1" },
    });
    expect(seen.at(-1)!.caller).toMatchObject({ creator_id: "creator-cleo" });
  });

  test("an identity service that hasn't caught up makes the caller come again", async () => {
    const { url } = await world({
      form,
      services: {
        identity: (app) => {
          app.get("/internal/callers/:uid", async (_request, reply) =>
            reply.header("x-read-model", "behind").send(known("cleo")),
          );
        },
      },
    });
    const answer = await fetch(`${url}/api/products`, bearer("cleo"));
    expect(answer.status).toBe(503);
    expect(answer.headers.get("retry-after")).toBe("1");
  });
});

function identityOf(app: FastifyInstance, now: { creator: boolean }): void {
  app.get<{ Params: { uid: string } }>("/internal/callers/:uid", async ({ params: { uid } }, reply) =>
    now.creator
      ? known(uid, { user_type: "creator", brand_id: null, creator_id: `creator-${uid}` })
      : reply.code(404).send({ code: "not_found", message: "Account not found", request_id: "r" }),
  );
  app.post("/api/creators", async (_request, reply) => {
    now.creator = true;
    return reply.code(201).header("x-position", "identity=3:42").send({});
  });
  echo(app);
}

test("a token is judged once a minute, and never beyond its own end", async () => {
  let now = 0;
  let judged = 0;
  const identityOf = identityReader(
    async (token) => {
      judged++;
      return verify(token);
    },
    () => now,
  );
  await identityOf("Bearer ana");
  await identityOf("Bearer ana");
  expect(judged).toBe(1);
  now = 60_000;
  await identityOf("Bearer ana");
  expect(judged).toBe(2);
  const over = identityReader(async (uid) => ({ uid, email: null, expires: 1 }), performance.now);
  await expect(over("Bearer ana")).rejects.toMatchObject({ status: 401 });
});

test("what the identity provider can't judge now is no refusal of the caller", async () => {
  const { url } = await world({
    options: {
      verifyToken: async () => {
        throw new Error("no network");
      },
    },
  });
  const answer = await fetch(`${url}/api/products`, bearer("ana"));
  expect(answer.status).toBe(500);
  expect(await answer.text()).not.toContain("no network");
});
