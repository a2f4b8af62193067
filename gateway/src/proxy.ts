import httpProxy from "@fastify/http-proxy";
import { POSITION_HEADER } from "@tributary/runtime/http/positions";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { isChange, passageOf } from "./passage.ts";
import { type ServiceName, type Upstreams, unreachable } from "./upstream.ts";
import type { Vouching } from "./vouching.ts";

/** What the way over the network needs. */
export interface Proxying {
  readonly upstreams: Upstreams;
  readonly sandboxUrl: string | null;
  readonly vouching: Vouching;
  readonly identityMoved: (position: string) => void;
}

const CONNECT_MS = 5_000;
const ANSWER_MS = 30_000;

function addressOf(request: FastifyRequest, { upstreams, sandboxUrl }: Proxying): string {
  const owner = passageOf(request)?.destination.owner;
  if (owner === "sandbox" && sandboxUrl) return sandboxUrl;
  const upstream = upstreams[owner as ServiceName];
  if (upstream?.kind !== "remote")
    throw new Error(`${request.method} ${request.url} has no address to go to`);
  return upstream.url;
}

/**
 * Forwards what belongs to a service elsewhere, or to the sandbox: identity headers set anew, bodies byte for byte, answers as they
 * stream in, and 502 in our own shape when nobody is there. Nothing is sent twice: what to repeat is for the caller to say.
 */
export async function proxy(scope: FastifyInstance, proxying: Proxying): Promise<void> {
  scope.removeAllContentTypeParsers();
  scope.addHook("onRequest", async (request, reply) => {
    if (!passageOf(request)) return reply.callNotFound();
  });
  await scope.register(httpProxy, {
    upstream: "",
    retryMethods: [],
    disableRequestLogging: true,
    internalRewriteLocationHeader: false,
    undici: {
      connections: 256,
      connect: { timeout: CONNECT_MS },
      headersTimeout: ANSWER_MS,
      bodyTimeout: 0,
    },
    replyOptions: {
      getUpstream: (request) => addressOf(request as FastifyRequest, proxying),
      rewriteRequestHeaders: (request, headers) => {
        const asked = request as FastifyRequest;
        const { destination, resolved } = passageOf(asked)!;
        if (!isChange(asked.method)) {
          delete headers["content-length"];
          delete headers["transfer-encoding"];
        }
        if (destination.owner !== "sandbox")
          proxying.vouching.stamp(headers, destination.owner as ServiceName, resolved, asked);
        return headers;
      },
      rewriteHeaders: (headers, request) => {
        const asked = request as FastifyRequest | undefined;
        const position = headers[POSITION_HEADER];
        if (
          asked &&
          typeof position === "string" &&
          isChange(asked.method) &&
          passageOf(asked)?.destination.owner === "identity"
        )
          proxying.identityMoved(position);
        return headers;
      },
      onError: (reply, { error }) => {
        const { destination } = passageOf(reply.request as FastifyRequest)!;
        reply.send(Object.assign(unreachable(destination.owner), { cause: error }));
      },
    },
  });
}
