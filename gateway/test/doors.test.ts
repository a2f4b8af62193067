import { describe, expect, test } from "vitest";
import { known, world } from "./world.ts";

const json = { "content-type": "application/json" };

describe.each(["mounted", "remote"] as const)("services %s", (form) => {
  test.each([
    ["asked by another site", { ...json, "sec-fetch-site": "cross-site" }, 403, "cross_site"],
    ["from a sandboxed page", { ...json, origin: "null" }, 403, "cross_site"],
    ["from a foreign page", { ...json, origin: "https://evil.example" }, 403, "cross_site"],
    ["as a form", { "content-type": "application/x-www-form-urlencoded" }, 415, "json_only"],
    ["as plain text", { "content-type": "text/plain" }, 415, "json_only"],
  ])("a change %s is refused, signed in or not", async (_, headers, status, code) => {
    const { url, seen, people } = await world({ form });
    people.set("ana", known("ana"));
    for (const authorization of [{}, { authorization: "Bearer ana" }]) {
      const answer = await fetch(`${url}/api/links`, {
        method: "POST",
        body: "{}",
        headers: { ...headers, ...authorization } as Record<string, string>,
      });
      expect(answer.status).toBe(status);
      expect(await answer.json()).toMatchObject({ code, request_id: answer.headers.get("x-request-id") });
    }
    expect(seen).toEqual([]);
  });

  test("a change asked for by our own page goes through", async () => {
    const { url } = await world({ form });
    for (const origin of [url, "http://tributary.example"]) {
      const answer = await fetch(`${url}/api/links`, {
        method: "POST",
        body: "{}",
        headers: { ...json, origin, "sec-fetch-site": "same-origin" },
      });
      expect(answer.status).toBe(200);
    }
  });

  test("a change without a body needs no content type", async () => {
    const { url } = await world({ form });
    const answer = await fetch(`${url}/api/admin/creators/c1/approve`, { method: "POST" });
    expect(answer.status).toBe(200);
  });

  test("reading is nobody's harm, whoever leads there", async () => {
    const { url } = await world({ form });
    const answer = await fetch(`${url}/api/products`, { headers: { "sec-fetch-site": "cross-site" } });
    expect(answer.status).toBe(200);
  });

  test("a landing page's form may be sent from its own sandbox", async () => {
    const { url, seen } = await world({ form });
    const answer = await fetch(`${url}/api/landing-pages/l1/submit-email`, {
      method: "POST",
      body: "email=a%40b.example",
      headers: {
        "content-type": "application/x-www-form-urlencoded",
        origin: "null",
        "sec-fetch-site": "cross-site",
      },
    });
    expect(answer.status).toBe(200);
    expect(seen.at(-1)).toMatchObject({ service: "landing", caller: null });
  });

  test("every answer of a service carries our headers, unless it is stricter itself", async () => {
    const { url } = await world({
      form,
      services: {
        landing: (app) => {
          app.get("/lp/:slug", async (_request, reply) =>
            reply.header("content-security-policy", "sandbox allow-scripts").type("text/html").send("<p>Hi"),
          );
        },
      },
    });
    const api = await fetch(`${url}/api/products`);
    expect(api.headers.get("content-security-policy")).toContain("default-src 'self'");
    expect(api.headers.get("x-content-type-options")).toBe("nosniff");
    expect(api.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
    const page = await fetch(`${url}/lp/summer`);
    expect(page.headers.get("content-security-policy")).toBe("sandbox allow-scripts");
    expect(page.headers.get("x-content-type-options")).toBe("nosniff");
  });
});

const protective = (headers: Headers): Record<string, string> =>
  Object.fromEntries(
    [...headers].filter(
      ([name]) => !["date", "content-length", "x-request-id", "connection", "keep-alive"].includes(name),
    ),
  );

test("what the browser is told, per kind of answer", async () => {
  const { url } = await world({ options: { publicUrl: "https://tributary.example" } });
  const page = await fetch(`${url}/`, { headers: { accept: "text/html" } });
  expect(protective(page.headers)).toMatchInlineSnapshot(`
    {
      "cache-control": "no-cache",
      "content-security-policy": "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' https: data:; connect-src 'self' https://identitytoolkit.googleapis.com https://securetoken.googleapis.com; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'",
      "content-type": "text/html; charset=utf-8",
      "cross-origin-opener-policy": "same-origin",
      "permissions-policy": "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()",
      "referrer-policy": "strict-origin-when-cross-origin",
      "strict-transport-security": "max-age=31536000; includeSubDomains",
      "x-content-type-options": "nosniff",
    }
  `);
  const asset = await fetch(`${url}/assets/index-CtZa0Ap9.js`);
  expect(protective(asset.headers)).toMatchObject({
    "cache-control": "public, max-age=31536000, immutable",
    "content-type": expect.stringContaining("javascript"),
    "x-content-type-options": "nosniff",
  });
  const unknown = await fetch(`${url}/api/nothing`);
  expect(protective(unknown.headers)).toMatchObject({
    "cache-control": "no-store",
    "content-type": "application/json; charset=utf-8",
    "content-security-policy": expect.stringContaining("frame-ancestors 'none'"),
  });
});

test("people get the application at every address that is nobody's, with the status it deserves", async () => {
  const { url } = await world();
  const html = { headers: { accept: "text/html,application/xhtml+xml,*/*;q=0.8" } };
  const home = await fetch(`${url}/`, html);
  expect(home.status).toBe(200);
  expect(await home.text()).toContain("Tributary");
  const lost = await fetch(`${url}/no/such/page`, html);
  expect(lost.status).toBe(404);
  expect(lost.headers.get("content-type")).toBe("text/html; charset=utf-8");
  expect(await lost.text()).toContain("Tributary");
});

test.each(["/api/nothing", "/public/nothing", "/internal/callers/ana", "/assets/gone.js", "/r/"])(
  "machines get JSON at %s, whatever they accept",
  async (path) => {
    const { url } = await world({ form: "remote" });
    const answer = await fetch(url + path, { headers: { accept: "text/html" } });
    expect(answer.status).toBe(404);
    expect(await answer.json()).toEqual({
      code: "not_found",
      message: "There is nothing at this address",
      request_id: answer.headers.get("x-request-id"),
    });
  },
);

test("the build's own files are not served", async () => {
  const { url } = await world();
  expect((await fetch(`${url}/.vite/manifest.json`)).status).toBe(404);
  expect((await fetch(`${url}/assets/..%2findex.html`)).status).not.toBe(200);
});

test("an address that can't be read is refused in our own shape", async () => {
  const { url } = await world();
  const answer = await fetch(`${url}/assets/%ff`);
  expect(answer.status).toBe(400);
  expect(await answer.json()).toMatchObject({ code: "bad_request", request_id: expect.any(String) });
});

test("the version of the running product is told to anybody, whatever token they hold", async () => {
  const { url } = await world();
  const answer = await fetch(`${url}/api/version`, { headers: { authorization: "Bearer expired" } });
  expect(answer.status).toBe(200);
  expect(await answer.json()).toEqual({ version: "9.8.7" });
});
