import type { IncomingMessage, ServerResponse } from "node:http";
import { POSITION_HEADER } from "@tributary/runtime/http/positions";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

/** Calls back with the position an answer carries, before its first byte leaves. */
function watchPosition(response: ServerResponse, heard: (position: string) => void): void {
  const writeHead = response.writeHead.bind(response) as (...head: unknown[]) => ServerResponse;
  response.writeHead = ((...head: unknown[]) => {
    const written = writeHead(...head);
    const position = response.getHeader(POSITION_HEADER);
    if (typeof position === "string") heard(position);
    return written;
  }) as ServerResponse["writeHead"];
}

/**
 * Hands a request over to a service in this process: the same bytes, for nothing of the body has been read, and the same token as
 * over the network. `heard` is told of the position the answer carries, if any.
 */
export function handOver(
  app: FastifyInstance,
  request: FastifyRequest,
  reply: FastifyReply,
  headers: Readonly<Record<string, string>>,
  heard: ((position: string) => void) | null,
): void {
  for (const name in headers) reply.raw.setHeader(name, headers[name]!);
  reply.raw.setHeader("x-request-id", request.id);
  if (heard) watchPosition(reply.raw, heard);
  reply.hijack();
  app.routing(request.raw, reply.raw);
}

/**
 * The shortest way to the redirect of a link: past the gateway's own routing, hooks and headers, for every microsecond counts
 * there, and its door asks nobody for a token. What a client says of its address is dropped here as everywhere.
 */
export const redirects =
  (app: FastifyInstance) =>
  (request: IncomingMessage, response: ServerResponse): void => {
    const { headers } = request;
    if (headers["x-forwarded-for"] !== undefined) headers["x-forwarded-for"] = undefined;
    app.routing(request, response);
  };
