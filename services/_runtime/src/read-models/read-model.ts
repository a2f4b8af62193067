import type { Heard } from "@tributary/contracts/event";
import type { z } from "zod";
import type { Caller, Role } from "../caller.ts";
import type { HeardBy, When } from "../stream.ts";
import type { Documents } from "./documents.ts";

/** A document, by id; read in a decision it only informs. */
export interface DocumentRef<T> {
  readonly kind: "document";
  readonly of: ReadModel<T>;
  readonly id: string;
}

/** What a read route is handed besides its documents. */
export interface Showing {
  readonly caller: Caller | null;
  readonly now: string;
  /** Documents of another read model of the same service, not narrowed: ask only by ids that came from narrowed ones. */
  documents<T>(of: ReadModel<T>): Documents<T>;
}

/** A GET route of a read model. `owns` names the field that holds the owner: the documents it is handed are narrowed to it. */
export interface ReadRoute<T> {
  readonly access: {
    readonly as: Role | readonly Role[];
    readonly owns?: (keyof T & string) | readonly (keyof T & string)[];
    readonly fields?: readonly string[];
  };
  readonly input?: z.ZodObject;
  readonly answer: (documents: Documents<T>, input: never, showing: Showing) => Promise<unknown>;
}

/** Declares a GET route; input is its route parameters and query together. Public ones list the fields they show. */
export const show =
  <T>() =>
  <I extends z.ZodObject>(route: {
    access: ReadRoute<T>["access"];
    input?: I;
    answer: (documents: Documents<T>, input: z.output<I>, showing: Showing) => Promise<unknown>;
  }): ReadRoute<T> =>
    route as ReadRoute<T>;

/** A table of answers: how events fill it and the GET routes that show it. Its name and version own its checkpoint. */
export interface ReadModel<T> {
  readonly kind: "read-model";
  readonly name: string;
  readonly version: number;
  readonly schema: z.ZodObject;
  readonly key: (event: Heard) => string | readonly string[] | null;
  readonly indexes: readonly (readonly (keyof T & string)[])[];
  readonly on: readonly When<T | null>[];
  readonly routes: Readonly<Record<string, ReadRoute<T>>>;
  at(id: string): DocumentRef<T>;
}

/**
 * Declares a read model: how each event changes a document (a fold that answers null deletes it) and which document it
 * concerns (several, or none). A document's bytes may not depend on the order between streams: each field belongs to one
 * stream, or is a set keyed by stream, a sum of integers, a minimum or a maximum.
 */
export function readModel<
  Sch extends z.ZodObject,
  const H extends readonly When<z.output<Sch> | null, unknown>[],
>(
  name: string,
  schema: Sch,
  definition: {
    version?: number;
    on: H;
    key: (event: HeardBy<NoInfer<H>>) => string | readonly string[] | null;
    indexes?: readonly (readonly (keyof z.output<Sch> & string)[])[];
    routes?: Readonly<Record<string, ReadRoute<z.output<Sch>>>>;
  },
): ReadModel<z.output<Sch>> {
  type T = z.output<Sch>;
  const declared: ReadModel<T> = {
    kind: "read-model",
    name,
    version: definition.version ?? 1,
    schema,
    key: definition.key as never,
    indexes: definition.indexes ?? [],
    on: definition.on as readonly When<T | null>[],
    routes: definition.routes ?? {},
    at: (id) => ({ kind: "document", of: declared, id }),
  };
  return declared;
}
