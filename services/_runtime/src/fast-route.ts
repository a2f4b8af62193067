import type { FastifyReply, FastifyRequest } from "fastify";
import type { Acting } from "./acting.ts";
import type { Clock } from "./ports/clock.ts";

/** What a fast route is opened with: everything once, nothing per request. */
export interface Opening extends Acting {
  readonly clock: Clock;
  /** Work off the hot path: `quiet` and the graceful shutdown wait for it; a rejection is logged. */
  background(work: Promise<unknown>): void;
  /** Called before the service stops, while it can still append. */
  onStop(last: () => Promise<void>): void;
}

/** A public route mounted without the machinery of a request: no token, no positions, no hooks. */
export interface FastRoute {
  readonly kind: "fast-route";
  readonly route: string;
  readonly access: { readonly as: "public" };
  /** Called once, before the service is ready. */
  readonly open: (opening: Opening) => Promise<(request: FastifyRequest, reply: FastifyReply) => unknown>;
}

/** Declares a route for which every microsecond counts. */
export const fastRoute = (
  path: string,
  definition: { access: FastRoute["access"]; open: FastRoute["open"] },
): FastRoute => ({
  kind: "fast-route",
  route: path,
  ...definition,
});
