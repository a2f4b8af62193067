import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { databaseOf, migrate, readerOf } from "@tributary/runtime/store/migrate";
import Fastify from "fastify";
import { expect, inject, onTestFinished, test } from "vitest";
import { bundleFor } from "../../deploy/scripts/bundle.mjs";
import { gateway } from "../src/main.ts";
import { SERVICES } from "../src/upstream.ts";
import { KEYS } from "./world.ts";

const PASSWORD = "server-test";

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, "127.0.0.1", resolve));
  const { port } = probe.address() as { port: number };
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

/** Starts the process; answers what it said on standard error and its exit code once it has ended. */
async function start(env: Record<string, string>) {
  const child = spawn(process.execPath, [await bundleFor("gateway/src/server.ts")], {
    env: { PATH: process.env.PATH!, ...env },
    stdio: ["ignore", "ignore", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let said = "";
  let heard: () => void = () => undefined;
  child.stderr!.on("data", (text) => {
    said += text;
    heard();
  });
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  const says = (words: string): Promise<void> =>
    new Promise((resolve, reject) => {
      heard = () => said.includes(words) && resolve();
      heard();
      void ended.then(() => reject(new Error(`the gateway ended: ${said}`)));
    });
  return { child: child as ChildProcess, ended, says, said: () => said };
}

test("a gateway that lacks its configuration names all of it and does not start", async () => {
  const { ended, said } = await start({ PUBLIC_URL: "https://tributary.example" });
  expect(await ended).toBe(1);
  for (const name of ["DATABASE_URL", "UPSTREAM_IDENTITY", "INTERNAL_KEY_BILLING", "FIREBASE_PROJECT_ID"])
    expect(said()).toContain(`${name}: is missing`);
});

test("a gateway serves as a process of its own, and ends in good order when told", async () => {
  const suffix = randomUUID().slice(0, 8);
  const databases = { gateway: `gateway_${suffix}`, identity: `identity_${suffix}` };
  const adminUrl = inject("postgresUrl");
  await migrate(adminUrl, { ...gateway, name: databases.gateway }, () => PASSWORD);
  await migrate(adminUrl, { name: databases.identity, logs: ["identity"], tables: [] }, () => PASSWORD);
  const address = (name: string, role: string): string => {
    const url = new URL(adminUrl);
    url.pathname = `/${databaseOf(name)}`;
    url.username = role;
    url.password = PASSWORD;
    return url.href;
  };
  const service = Fastify({ forceCloseConnections: true });
  service.get("/readyz", async () => ({ ready: true }));
  service.get("/api/products", async () => []);
  onTestFinished(async () => service.close());
  const upstream = await service.listen({ host: "127.0.0.1", port: 0 });
  const webRoot = await mkdtemp(join(tmpdir(), "tributary-web-"));
  onTestFinished(() => rm(webRoot, { recursive: true }));
  await writeFile(join(webRoot, "index.html"), "<!doctype html><title>Tributary</title>");

  const port = await freePort();
  const { child, ended, says } = await start({
    PORT: String(port),
    HOST: "127.0.0.1",
    PUBLIC_URL: "https://tributary.example",
    WEB_ROOT: webRoot,
    VERSION: "4.5.6",
    FIREBASE_PROJECT_ID: "tributary",
    DATABASE_URL: address(databases.gateway, databaseOf(databases.gateway)),
    LOG_URL_IDENTITY: address(databases.identity, readerOf(databases.identity)),
    ...Object.fromEntries(
      SERVICES.flatMap((name) => [
        [`UPSTREAM_${name.toUpperCase()}`, upstream],
        [`INTERNAL_KEY_${name.toUpperCase()}`, KEYS[name]],
      ]),
    ),
  });
  await says("serving");
  const url = `http://127.0.0.1:${port}`;
  expect(await (await fetch(`${url}/api/version`)).json()).toEqual({ version: "4.5.6" });
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
  expect((await fetch(url)).headers.get("strict-transport-security")).toContain("max-age=");
  expect((await fetch(`${url}/api/products`)).status).toBe(200);
  expect(await (await fetch(`${url}/quiet`)).json()).toMatchObject({ quiet: false });
  child.kill("SIGTERM");
  expect(await ended).toBe(0);
});
