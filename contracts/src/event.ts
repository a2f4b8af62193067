import { z } from "zod";

/** The services that speak; an event belongs to exactly one of them, and so does the log it is heard on. */
export type Owner =
  | "identity"
  | "catalog"
  | "program"
  | "attribution"
  | "clicks"
  | "earnings"
  | "billing"
  | "landing";

/** A fact that has been decided and not yet recorded. */
export interface NewEvent<T extends string = string, D = unknown> {
  readonly type: T;
  readonly owner: Owner;
  readonly data: D;
  /** The stored form, already checked against the contract: plain JSON, money as decimal text. */
  readonly json: unknown;
}

/** A recorded fact as a listener sees it: the envelope of the CloudEvent around its decoded data. */
export interface Heard<T extends string = string, D = unknown> {
  readonly type: T;
  readonly data: D;
  readonly id: string;
  /** The log it was recorded in, which names the service that decided it. */
  readonly source: string;
  readonly stream: string;
  readonly version: number;
  readonly partition: number;
  readonly sequence: number;
  /** When it was recorded, by the runtime's clock (ISO 8601, UTC). */
  readonly time: string;
  readonly actor: string | null;
  readonly correlationid: string;
  readonly causationid: string | null;
}

type Shape = z.ZodObject;

/** An event type: call it to build the fact; find its references to see every producer and every listener. */
export interface EventType<T extends string = string, S extends Shape = Shape> {
  (data: z.output<S>): NewEvent<T, z.output<S>>;
  readonly type: T;
  readonly owner: Owner;
  readonly schema: S;
  /** Reads the stored form loosely: fields it doesn't know are left out. Throws when a known one doesn't fit. */
  decode(json: unknown): z.output<S>;
}

/** The data an event type carries, decoded. */
export type DataOf<E> = E extends EventType<string, infer S> ? z.output<S> : never;

/** The fact an event type constructs. */
export type FactOf<E> = E extends EventType<infer T, infer S> ? NewEvent<T, z.output<S>> : never;

/**
 * Opens the vocabulary of one owner. Events are built strictly (an unknown or ill-fitting field throws, which is a
 * defect of ours) and heard loosely, so that old and new code can share a log.
 */
export function eventsOf(owner: Owner) {
  return function event<const T extends string, S extends Shape>(type: T, schema: S): EventType<T, S> {
    const strict = schema.strict();
    const build = (data: z.output<S>): NewEvent<T, z.output<S>> => ({
      type,
      owner,
      data,
      json: z.encode(strict, data as never),
    });
    return Object.assign(build, {
      type,
      owner,
      schema,
      decode: (json: unknown) => z.decode(schema, json as never) as z.output<S>,
    });
  };
}

/** Marks a field as personal data of the subject named by another field: it may stand in no stream name, key or log. */
export function personal<S extends z.ZodType>(schema: S, subject: string): S {
  return schema.meta({ personal: subject }) as S;
}
