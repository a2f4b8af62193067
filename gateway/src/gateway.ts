import { randomUUID } from "node:crypto";
import type { Version } from "@tributary/contracts/http/gateway";
import { AFTER_HEADER } from "@tributary/runtime/http/positions";
import type { Logger } from "@tributary/runtime/logs";
import { type Network, realNetwork } from "@tributary/runtime/ports/network";
import type { QuietReport } from "@tributary/runtime/quiet-report";
import Fastify, { type FastifyInstance, type FastifyRequest } from "fastify";
import { brandMe } from "./brand-me.ts";
import { Callers, type Resolved } from "./callers.ts";
import { BODY_LIMIT_BYTES, keepDoor } from "./doorkeeper.ts";
import { errorAnswerer } from "./errors.ts";
import { explain, explainable } from "./explain.ts";
import { health } from "./health.ts";
import { identityReader, notAuthenticated, type VerifyToken } from "./identity-token.ts";
import type { KnownCallers } from "./known-callers.ts";
import { handOver, redirects } from "./mounted.ts";
import { decoratePassage, isChange, passageOf, setPassage } from "./passage.ts";
import { proxy } from "./proxy.ts";
import { routeTable } from "./routes.ts";
import { securityHeaders, withoutPolicy } from "./security-headers.ts";
import { quickServer } from "./server-factory.ts";
import { pageAnswerer, serveAssets } from "./spa.ts";
import { ask, type Said, SERVICES, type ServiceName, type Upstreams } from "./upstream.ts";
import { Vouching } from "./vouching.ts";

/** What a gateway is built from. */
export interface GatewayOptions {
  readonly upstreams: Upstreams;
  /** The key each service reads the internal token with. */
  readonly keys: Readonly<Record<ServiceName, string>>;
  readonly verifyToken: VerifyToken;
  /** The gateway's own memory of callers (`foldedCallers`), or nobody's: then identity is asked each time. */
  readonly callers: KnownCallers;
  /** Where browsers reach this gateway, as an origin. */
  readonly publicUrl: string;
  /** The built web application: index.html and assets/. */
  readonly webRoot: string;
  readonly version: string;
  readonly log: Logger;
  /** The partners' sandbox, whose browser-facing paths are forwarded; absent in production. */
  readonly sandboxUrl?: string | null;
  /** What this process says when asked whether it is quiet: its own services and readers. */
  readonly quiet?: () => Promise<readonly QuietReport[]>;
  readonly network?: Network;
  /** Which proxies before us may say whose address a request comes from; none unless told. */
  readonly trustProxy?: boolean | string;
}

const elapsed = (): number => performance.now();

/**
 * The one door of the product: finds out who is asking, who answers, and hands the request over. Imports no service; it is handed
 * them mounted in one process, or their addresses on a cluster.
 */
export function buildGateway(options: GatewayOptions): FastifyInstance {
  const { upstreams, keys, log, network = realNetwork, sandboxUrl = null } = options;
  const publicOrigin = new URL(options.publicUrl).origin;
  const headers = securityHeaders({ sandbox: sandboxUrl !== null, https: publicOrigin.startsWith("https:") });
  const partnersHeaders = withoutPolicy(headers);
  const table = routeTable(sandboxUrl !== null);
  const vouching = new Vouching(keys, elapsed);
  const identityOf = identityReader(options.verifyToken, elapsed);
  const answerError = errorAnswerer(log);

  const askAs = (
    service: ServiceName,
    path: string,
    resolved: Resolved | null,
    more: Record<string, string>,
  ): Promise<Said> => {
    const stamped = { ...more };
    vouching.stamp(stamped, service, resolved, { id: more["x-request-id"] ?? randomUUID(), ip: "127.0.0.1" });
    return ask(service, upstreams[service], network, path, stamped);
  };
  const callers = new Callers(options.callers, (path, more) => askAs("identity", path, null, more), elapsed);
  const identityMoved = (position: string): void => callers.identityMoved(position);

  const { attribution } = upstreams;
  const app: FastifyInstance = Fastify({
    logger: false,
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    bodyLimit: BODY_LIMIT_BYTES,
    trustProxy: options.trustProxy ?? false,
    routerOptions: { maxParamLength: 500 },
    // Behind a proxy the address of a shopper is the proxy's word, which the ordinary way reads.
    serverFactory: quickServer(
      attribution.kind === "mounted" && !options.trustProxy ? redirects(attribution.app) : null,
    ),
    frameworkErrors: (error, request, reply) => {
      void reply.headers(headers);
      answerError(error, request, reply);
    },
  });
  decoratePassage(app);
  app.setErrorHandler(answerError);
  app.setNotFoundHandler(pageAnswerer(options.webRoot));

  app.addHook("onRequest", async (request, reply) => {
    const { raw, method } = request;
    const destination = table.find(method, raw.url!.split("?", 1)[0]!);
    reply.headers(destination?.owner === "sandbox" ? partnersHeaders : headers);
    reply.header("x-request-id", request.id);
    if (!destination) return;
    const { owner, open } = destination;
    keepDoor(request, open, publicOrigin);
    const identity = open ? null : await identityOf(request.headers.authorization);
    const resolved = identity && (await callers.resolve(identity, oneOf(request.headers[AFTER_HEADER])));
    const upstream = owner === "gateway" || owner === "sandbox" ? null : upstreams[owner];
    if (upstream?.kind !== "mounted") {
      setPassage(request, { destination, resolved });
      return;
    }
    vouching.stamp(raw.headers, owner as ServiceName, resolved, request);
    handOver(
      upstream.app,
      request,
      reply,
      headers,
      owner === "identity" && isChange(method) ? identityMoved : null,
    );
  });
  app.addHook("onReady", async () => {
    for (const name of SERVICES) {
      const upstream = upstreams[name];
      if (upstream.kind === "mounted") await upstream.app.ready();
    }
  });

  /** Asks as the caller of a request, passing on what it has seen and the trace it belongs to. */
  const asking = (request: FastifyRequest) => (service: ServiceName, path: string) => {
    const { [AFTER_HEADER]: after, traceparent } = request.headers;
    return askAs(service, path, passageOf(request)?.resolved ?? null, {
      "x-request-id": request.id,
      ...(typeof after === "string" && { [AFTER_HEADER]: after }),
      ...(typeof traceparent === "string" && { traceparent }),
    });
  };
  const callerOf = (request: FastifyRequest) => {
    const resolved = passageOf(request)?.resolved;
    if (!resolved) throw notAuthenticated();
    return resolved.caller;
  };

  app.get("/api/version", async (): Promise<Version> => ({ version: options.version }));
  app.get("/api/brands/me", async (request) => brandMe(asking(request), callerOf(request).brand_id));
  app.get<{ Params: { kind: string; id: string } }>("/api/explain/:kind/:id", async (request) => {
    callerOf(request);
    return explain(asking(request), explainable(request.params.kind), request.params.id);
  });
  health(app, {
    upstreams,
    ask: (service, path) => askAs(service, path, null, {}),
    own: options.quiet ?? (async () => []),
  });
  serveAssets(app, options.webRoot);
  if (sandboxUrl !== null || SERVICES.some((name) => upstreams[name].kind === "remote"))
    app.register((scope) => proxy(scope, { upstreams, sandboxUrl, vouching, identityMoved }));
  return app;
}

const oneOf = (header: string | string[] | undefined): string | undefined =>
  typeof header === "string" ? header : undefined;
