import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Caller } from "@tributary/runtime/caller";
import { INTERNAL_TOKEN_HEADER, readCaller } from "@tributary/runtime/http/internal-token";
import { logger } from "@tributary/runtime/logs";
import Fastify, { type FastifyInstance } from "fastify";
import { onTestFinished } from "vitest";
import { buildGateway, type GatewayOptions } from "../src/gateway.ts";
import type { Identity } from "../src/identity-token.ts";
import type { KnownCaller } from "../src/known-callers.ts";
import { SERVICES, type ServiceName, type Upstreams } from "../src/upstream.ts";

/** What a stand-in for a service noticed of a request. */
export interface Seen {
  service: ServiceName;
  method: string;
  url: string;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
  /** Undefined when the internal token is not one this service believes. */
  caller: Caller | null | undefined;
}

const PAGE = "<!doctype html><title>Tributary</title>";

export const keyOf = (service: ServiceName): string => `key of ${service}, long enough to be one`;
export const KEYS = Object.fromEntries(SERVICES.map((name) => [name, keyOf(name)])) as Record<
  ServiceName,
  string
>;

/** People of the tests: a token is their name; `expired` and friends are refused by the stand-in of the identity provider. */
export const known = (uid: string, more: Partial<KnownCaller> = {}): KnownCaller => ({
  uid,
  user_id: `user-${uid}`,
  user_type: "brand",
  role: "user",
  brand_id: `brand-${uid}`,
  creator_id: null,
  approved: false,
  disabled: false,
  ...more,
});

export async function verify(token: string): Promise<Identity | null> {
  if (["expired", "wrong-aud", "garbage"].includes(token)) return null;
  return { uid: token, email: `${token}@example.com`, expires: Date.now() / 1000 + 3600 };
}

/** A stand-in for a service: remembers what it sees, answers by `answer` or with an echo. */
export function standIn(service: ServiceName, seen: Seen[]): FastifyInstance {
  const app = Fastify({ forceCloseConnections: true });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
  app.get("/readyz", async () => ({ ok: true }));
  app.addHook("preHandler", async (request) => {
    const token = request.headers[INTERNAL_TOKEN_HEADER];
    seen.push({
      service,
      method: request.method,
      url: request.url,
      headers: { ...request.headers },
      body: (request.body as Buffer | undefined) ?? Buffer.alloc(0),
      caller: readCaller(keyOf(service), service, token as string | undefined),
    });
  });
  return app;
}

export const echo = (app: FastifyInstance): void => {
  app.route({
    method: ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"],
    url: "/*",
    handler: async (_request, reply) => reply.header("x-position", "test=0:1").send({ echo: true }),
  });
};

export interface World {
  url: string;
  app: FastifyInstance;
  seen: Seen[];
  people: Map<string, KnownCaller>;
  webRoot: string;
}

/** A gateway on a port of its own before stand-ins for all services, mounted or each on a port of its own. */
export async function world({
  form = "mounted",
  services = {},
  options = {},
}: {
  form?: "mounted" | "remote";
  services?: Partial<Record<ServiceName, (app: FastifyInstance) => void>>;
  options?: Partial<GatewayOptions>;
} = {}): Promise<World> {
  const seen: Seen[] = [];
  const people = new Map<string, KnownCaller>();
  const upstreams: Record<string, Upstreams[ServiceName]> = {};
  for (const name of SERVICES) {
    const app = standIn(name, seen);
    (services[name] ?? echo)(app);
    onTestFinished(async () => app.close());
    if (form === "remote")
      upstreams[name] = { kind: "remote", url: await app.listen({ host: "127.0.0.1", port: 0 }) };
    else upstreams[name] = { kind: "mounted", app };
  }
  const webRoot = await mkdtemp(join(tmpdir(), "tributary-web-"));
  onTestFinished(() => rm(webRoot, { recursive: true }));
  await mkdir(join(webRoot, "assets"));
  await mkdir(join(webRoot, ".vite"));
  await writeFile(join(webRoot, "index.html"), PAGE);
  await writeFile(join(webRoot, ".vite/manifest.json"), "{}");
  await writeFile(join(webRoot, "assets/index-CtZa0Ap9.js"), "export const tributary = 1;\n");
  const app = buildGateway({
    upstreams: upstreams as unknown as Upstreams,
    keys: KEYS,
    verifyToken: verify,
    callers: async (uid) => people.get(uid) ?? null,
    publicUrl: "http://tributary.example",
    webRoot,
    version: "9.8.7",
    log: logger("gateway", "silent"),
    ...options,
  });
  onTestFinished(async () => app.close());
  const url = await app.listen({ host: "127.0.0.1", port: 0 });
  return { url, app, seen, people, webRoot };
}
