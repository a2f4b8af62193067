import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** Longer than the idle time of the load balancers before us, so that they hang up first. */
const KEEP_ALIVE_MS = 72_000;
const HEADERS_MS = 10_000;
const REQUEST_MS = 60_000;

const BAD_REQUEST = JSON.stringify({
  code: "bad_request",
  message: "This is no HTTP request",
  request_id: "none",
});

/** A server with time limits of its own, that takes the redirect of a link past everything else when it is in this process. */
export const quickServer =
  (redirects: Handler | null) =>
  (handler: Handler): Server => {
    const listener: Handler = redirects
      ? (request, response) =>
          request.url!.startsWith("/r/") ? redirects(request, response) : handler(request, response)
      : handler;
    const server = createServer({ requestTimeout: REQUEST_MS, headersTimeout: HEADERS_MS }, listener);
    server.keepAliveTimeout = KEEP_ALIVE_MS;
    server.on("clientError", (_error, socket) => {
      if (socket.writable)
        socket.end(
          `HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(BAD_REQUEST)}\r\n\r\n${BAD_REQUEST}`,
        );
    });
    return server;
  };
