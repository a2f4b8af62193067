import type { FastifyInstance } from "fastify";
import type { z } from "zod";
import type { Unit } from "./unit.ts";

/** What an act is given: the checked parameters, the ids in the address, and the connected account spoken for. */
export interface Asked<P> {
  unit: Unit;
  params: P;
  path: Record<string, string>;
  account: string | null;
  publishable: boolean;
}

/** One address of Stripe's API: what it takes, and what it does. Written down here, and only then it exists. */
export interface Route {
  method: "GET" | "POST";
  path: string;
  params: z.ZodType;
  /** Browsers may call it with a publishable key and the intent's client_secret. */
  publishable?: boolean;
  /** It can be asked on behalf of a connected account (header Stripe-Account). */
  perAccount?: boolean;
  /** What remains to be done, after the change is recorded, before the caller hears of it. */
  after?(app: FastifyInstance, answer: Record<string, unknown>): Promise<void>;
  act(asked: Asked<never>): { id?: string; object: string };
}

/** Declares a route; the act receives exactly what its schema lets through. */
export function route<S extends z.ZodType>(
  address: `${Route["method"]} /v1/${string}`,
  params: S,
  act: (asked: Asked<z.output<S>>) => { id?: string; object: string },
  options: Pick<Route, "after" | "perAccount" | "publishable"> = {},
): Route {
  const [method, path] = address.split(" ") as [Route["method"], string];
  return { method, path, params, act: act as Route["act"], ...options };
}
