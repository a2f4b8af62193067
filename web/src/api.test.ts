import { afterEach, expect, test, vi } from "vitest";
import * as z from "zod/mini";
import { ApiError, api } from "./api.ts";

const Greeting = z.object({ greeting: z.string() });

afterEach(() => vi.unstubAllGlobals());

function answering(body: string, init?: ResponseInit) {
  const asked = vi.fn<typeof fetch>(async () => new Response(body, init));
  vi.stubGlobal("fetch", asked);
  return asked;
}

test("an answer arrives as the contract says it", async () => {
  answering('{"greeting":"hello","unknown":1}');

  expect(await api(Greeting, "GET /api/greeting")).toEqual({ greeting: "hello" });
});

test("an answer that breaks the contract is an error, not a half-filled screen", async () => {
  answering('{"greeting":7}');

  await expect(api(Greeting, "GET /api/greeting")).rejects.toThrow(z.core.$ZodError);
});

test("a refused call is an error whose text is the status, a colon, then the body", async () => {
  answering('{"code":"not_found","message":"No such brand"}', { status: 404, statusText: "Not Found" });

  const refused = await api(Greeting, "GET /api/greeting").catch((error: unknown) => error);

  expect(refused).toBeInstanceOf(ApiError);
  expect(refused).toMatchObject({
    status: 404,
    message: '404: {"code":"not_found","message":"No such brand"}',
  });
});

test("a refused call without a body says the status text instead", async () => {
  answering("", { status: 502, statusText: "Bad Gateway" });

  await expect(api(Greeting, "GET /api/greeting")).rejects.toThrow(/^502: Bad Gateway$/);
});

test("a body is sent as JSON, by the method and to the path of the route", async () => {
  const asked = answering('{"greeting":"hello"}');

  await api(Greeting, "POST /api/greeting", { body: { name: "Ana" } });

  expect(asked).toHaveBeenCalledWith(
    "/api/greeting",
    expect.objectContaining({
      method: "POST",
      credentials: "include",
      body: '{"name":"Ana"}',
      headers: { accept: "application/json", "content-type": "application/json" },
    }),
  );
});
