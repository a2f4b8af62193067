import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Resolved } from "./callers.ts";
import type { Destination } from "./route-table.ts";
import type { Owner } from "./routes.ts";

/** What the gateway has found out about a request by the time somebody answers it. */
export interface Passage {
  readonly destination: Destination<Owner>;
  /** Null for a stranger, and for doors that don't ask. */
  readonly resolved: Resolved | null;
}

type Passing = FastifyRequest & { passage: Passage | null };

/** Gives requests room for their passage; none is set for pages, assets and addresses nobody answers. */
export const decoratePassage = (app: FastifyInstance): void => {
  app.decorateRequest("passage", null);
};

export const setPassage = (request: FastifyRequest, passage: Passage): void => {
  (request as Passing).passage = passage;
};

export const passageOf = (request: FastifyRequest): Passage | null => (request as Passing).passage;

/** Whether a request may change something. */
export const isChange = (method: string): boolean => !["GET", "HEAD", "OPTIONS"].includes(method);
