import { Version } from "@tributary/contracts/http/gateway";
import { afterEach, expect, test, vi } from "vitest";
import { ApiError, api } from "./api.ts";

afterEach(() => vi.unstubAllGlobals());

function answering(body: string, init?: ResponseInit) {
  const asked = vi.fn<typeof fetch>(async () => new Response(body, init));
  vi.stubGlobal("fetch", asked);
  return asked;
}

test("an answer arrives as the contract says it", async () => {
  answering('{"version":"1.4.2","unknown":1}');

  expect(await api(Version, "GET /api/version")).toEqual({ version: "1.4.2" });
});

test("an answer that breaks the contract is an error, not a half-filled screen", async () => {
  answering('{"version":7}');

  await expect(api(Version, "GET /api/version")).rejects.toThrow(/invalid_type/);
});

test("a refused call is an error whose text is the status, a colon, then the body", async () => {
  answering('{"code":"not_found","message":"No such brand"}', { status: 404, statusText: "Not Found" });

  const refused = await api(Version, "GET /api/version").catch((error: unknown) => error);

  expect(refused).toBeInstanceOf(ApiError);
  expect(refused).toMatchObject({
    status: 404,
    message: '404: {"code":"not_found","message":"No such brand"}',
  });
});

test("a refused call without a body says the status text instead", async () => {
  answering("", { status: 502, statusText: "Bad Gateway" });

  await expect(api(Version, "GET /api/version")).rejects.toThrow(/^502: Bad Gateway$/);
});

test("a body is sent as JSON, by the method and to the path of the route", async () => {
  const asked = answering('{"version":"1.4.2"}');

  await api(Version, "POST /api/version", { body: { name: "Ana" } });

  expect(asked).toHaveBeenCalledWith(
    "/api/version",
    expect.objectContaining({
      method: "POST",
      credentials: "include",
      body: '{"name":"Ana"}',
      headers: { accept: "application/json", "content-type": "application/json" },
    }),
  );
});
