import { createHash, randomBytes } from "node:crypto";
import { createServer } from "node:net";
import { Readable } from "node:stream";
import { describe, expect, test } from "vitest";
import { world } from "./world.ts";

const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

describe.each(["mounted", "remote"] as const)("services %s", (form) => {
  test.each([
    ["application/json; charset=utf-8", Buffer.from('{ "b":1,\n "a" : 1.10, "é":"\\u00e9" }\n')],
    ["text/plain", Buffer.from([0xff, 0xfe, 0x00, 0x0d, 0x0a])],
    ["application/x-www-form-urlencoded", Buffer.from("a=1&a=%zz")],
    ["application/octet-stream", randomBytes(500_000)],
  ])("a webhook as %s arrives byte for byte, from a stranger on another site", async (type, body) => {
    const { url, seen } = await world({ form });
    const answer = await fetch(`${url}/api/webhooks/stripe?live=1&live=2`, {
      method: "POST",
      body,
      headers: {
        "content-type": type,
        "stripe-signature": "t=1,v1=ab",
        "sec-fetch-site": "cross-site",
        authorization: "whatever",
      },
    });
    expect(answer.status).toBe(200);
    const arrived = seen.at(-1)!;
    expect(arrived).toMatchObject({
      service: "billing",
      method: "POST",
      url: "/api/webhooks/stripe?live=1&live=2",
      caller: null,
    });
    expect(sha256(arrived.body)).toBe(sha256(body));
    expect(arrived.headers["content-type"]).toBe(type);
    expect(arrived.headers["stripe-signature"]).toBe("t=1,v1=ab");
  });

  test("a path is forwarded as it was sent", async () => {
    const { url, seen } = await world({ form });
    await fetch(`${url}/api/links/a%2Fb%20c/metrics?q=%C3%A9+x&q=`);
    expect(seen.at(-1)!.url).toBe("/api/links/a%2Fb%20c/metrics?q=%C3%A9+x&q=");
  });

  test("a DELETE with nothing to say is forwarded", async () => {
    const { url, seen } = await world({ form });
    expect((await fetch(`${url}/api/landing-pages/l1`, { method: "DELETE" })).status).toBe(200);
    expect(seen.at(-1)).toMatchObject({ service: "landing", method: "DELETE" });
  });

  test("an answer streams through before it has ended", async () => {
    let end: () => void = () => undefined;
    const { url } = await world({
      form,
      services: {
        billing: (app) => {
          app.get("/api/billing/export", async (_request, reply) => {
            const stream = new Readable({ read: () => undefined });
            stream.push("first,");
            end = () => {
              stream.push("last");
              stream.push(null);
            };
            return reply.type("text/csv").send(stream);
          });
        },
      },
    });
    const answer = await fetch(`${url}/api/billing/export`);
    const reader = answer.body!.getReader();
    expect(Buffer.from((await reader.read()).value!).toString()).toBe("first,");
    end();
    expect(Buffer.from((await reader.read()).value!).toString()).toBe("last");
    expect((await reader.read()).done).toBe(true);
  });

  test("a refusal of a service goes back as it is, once", async () => {
    const { url, seen } = await world({
      form,
      services: {
        catalog: (app) => {
          app.get("/api/products", async (_request, reply) =>
            reply
              .code(503)
              .header("retry-after", "1")
              .send({ code: "behind", message: "later", request_id: "r" }),
          );
        },
      },
    });
    const answer = await fetch(`${url}/api/products`);
    expect(answer.status).toBe(503);
    expect(answer.headers.get("retry-after")).toBe("1");
    expect(await answer.json()).toEqual({ code: "behind", message: "later", request_id: "r" });
    expect(seen).toHaveLength(1);
  });

  test("a redirect of a link goes to the browser, and into no cache", async () => {
    const { url, seen } = await world({
      form,
      services: {
        attribution: (app) => {
          app.get("/r/:link_id", async (_request, reply) =>
            reply.header("cache-control", "no-store").redirect("https://www.amazon.com/dp/B000000001"),
          );
        },
      },
    });
    const answer = await fetch(`${url}/r/AbCdEfGh12?x=1`, {
      redirect: "manual",
      headers: { authorization: "Bearer garbage", "x-forwarded-for": "8.8.8.8" },
    });
    expect(answer.status).toBe(302);
    expect(answer.headers.get("location")).toBe("https://www.amazon.com/dp/B000000001");
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(seen.at(-1)!.url).toBe("/r/AbCdEfGh12?x=1");
    expect(seen.at(-1)!.headers["x-forwarded-for"] ?? "127.0.0.1").toBe("127.0.0.1");
  });

  test("nothing internal is reachable, by whatever spelling", async () => {
    const { app, seen } = await world({ form });
    for (const url of [
      "/internal/callers/ana",
      "/api/links/../../internal/callers/ana",
      "/api/links/%2e%2e/%2e%2e/internal/callers/ana",
      "/api/links/..%2f..%2finternal/callers/ana",
      "/api/links/..\\..\\internal/callers/ana",
      "/%69nternal/callers/ana",
      "//internal/callers/ana",
    ]) {
      const { statusCode } = await app.inject({ url });
      expect(seen.filter(({ url }) => new URL(url, "http://x").pathname.includes("/internal"))).toEqual([]);
      if (form === "mounted" && statusCode === 200) expect(seen.at(-1)!.url).toBe(url);
    }
  });

  test("a body over a megabyte is refused", async () => {
    const { url, seen } = await world({ form });
    const answer = await fetch(`${url}/api/links`, {
      method: "POST",
      body: Buffer.alloc(1_048_577, "x"),
      headers: { "content-type": "application/json" },
    });
    expect(answer.status).toBe(413);
    expect(await answer.json()).toMatchObject({ code: "body_too_large" });
    expect(seen).toEqual([]);
  });
});

test("a service that isn't there is a 502 in our own shape", async () => {
  const nobody = createServer();
  await new Promise<void>((resolve) => nobody.listen(0, "127.0.0.1", resolve));
  const { port } = nobody.address() as { port: number };
  await new Promise((resolve) => nobody.close(resolve));
  const gone = { kind: "remote", url: `http://127.0.0.1:${port}` } as const;
  const { url } = await world({
    options: {
      upstreams: {
        identity: gone,
        catalog: gone,
        program: gone,
        attribution: gone,
        earnings: gone,
        billing: gone,
        landing: gone,
      },
    },
  });
  for (const request of [
    fetch(`${url}/api/products`),
    fetch(`${url}/api/webhooks/stripe`, { method: "POST", body: "{}" }),
    fetch(`${url}/api/products`, { headers: { authorization: "Bearer ana" } }),
  ]) {
    const answer = await request;
    expect(answer.status).toBe(502);
    expect(await answer.json()).toEqual({
      code: "upstream_unreachable",
      message: expect.stringContaining("does not answer right now"),
      request_id: answer.headers.get("x-request-id"),
    });
  }
  expect((await fetch(`${url}/readyz`)).status).toBe(503);
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
});
