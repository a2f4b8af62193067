import type { z } from "zod";
import type { Logger } from "./logs.ts";
import type { Clock } from "./ports/clock.ts";
import type { Network } from "./ports/network.ts";
import type { Random } from "./ports/random.ts";

/** Private tables of a service, beside its events: secrets and caches. Never a place for facts. */
export interface Sql {
  query<R = Record<string, unknown>>(text: string, values?: readonly unknown[]): Promise<R[]>;
  /** Does a piece of work while no other process does work under the same key (an advisory lock of the engine). */
  alone<T>(key: string, work: () => Promise<T>): Promise<T>;
}

/** Gives the instance a token stands for, made once per mounted service. */
export type Use = <T>(token: Client<T> | Settings<T>) => T;

/** What a client of the outside world is made from. */
export interface Outside {
  readonly use: Use;
  readonly network: Network;
  readonly clock: Clock;
  readonly random: Random;
  readonly sql: Sql;
  readonly log: Logger;
  /** Waits in real time, for a partner that asked for patience; rejects when the service stops. */
  pause(milliseconds: number): Promise<void>;
}

/** A token for a client of the outside world; tests put their own in its place. */
export interface Client<T> {
  readonly kind: "client";
  readonly name: string;
  readonly make: (outside: Outside) => T;
}

/** Declares a client of the outside world (a partner, a mailer, a private table). */
export const client = <T>(name: string, make: (outside: Outside) => T): Client<T> => ({
  kind: "client",
  name,
  make,
});

/** A token for a piece of configuration, checked when the service starts. */
export interface Settings<T> {
  readonly kind: "settings";
  readonly schema: z.ZodType<T>;
}

/** Declares which environment variables a service needs; all that is missing is named in one error at start. */
export const settings = <Sch extends z.ZodObject>(schema: Sch): Settings<z.output<Sch>> => ({
  kind: "settings",
  schema: schema as unknown as z.ZodType<z.output<Sch>>,
});
