import Fastify from "fastify";
import { expect, onTestFinished, test } from "vitest";
import { world } from "./world.ts";

test("pages of the sandbox are shown without our policy, with what browsers send them, and nothing else of it", async () => {
  const heard: { url: string; cookie: string | undefined; body: unknown }[] = [];
  const sandbox = Fastify({ forceCloseConnections: true });
  sandbox.removeAllContentTypeParsers();
  sandbox.addContentTypeParser("*", { parseAs: "string" }, (_request, body, done) => done(null, body));
  sandbox.all("/*", async ({ url, headers, body }, reply) => {
    heard.push({ url, cookie: headers.cookie, body });
    return url.startsWith("/shop/buy")
      ? reply.header("set-cookie", "shopper=1").redirect("/shop/orders/1", 303)
      : reply.type("text/html").send("<style>p{color:red}</style>");
  });
  onTestFinished(async () => sandbox.close());
  const sandboxUrl = await sandbox.listen({ host: "127.0.0.1", port: 0 });
  const { url } = await world({ options: { sandboxUrl } });

  const bought = await fetch(`${url}/shop/buy`, {
    method: "POST",
    body: "asin=B000000001&qty=2",
    headers: { "content-type": "application/x-www-form-urlencoded", cookie: "shopper=1" },
    redirect: "manual",
  });
  expect(bought.status).toBe(303);
  expect(bought.headers.get("location")).toBe("/shop/orders/1");
  expect(bought.headers.get("set-cookie")).toBe("shopper=1");
  expect(heard.at(-1)).toEqual({ url: "/shop/buy", cookie: "shopper=1", body: "asin=B000000001&qty=2" });
  const consent = await fetch(`${url}/amazon/ap/oa?client_id=a`);
  expect(consent.headers.get("content-security-policy")).toBeNull();
  expect(consent.headers.get("x-content-type-options")).toBe("nosniff");

  const before = heard.length;
  for (const path of ["/_sandbox/clock", "/_sandbox/journal", "/_sandbox/stripe/ledger", "/v1/charges"])
    expect((await fetch(url + path, { method: "POST" })).status).toBe(404);
  expect(heard).toHaveLength(before);
});
