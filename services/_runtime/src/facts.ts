import type { Heard } from "@tributary/contracts/event";
import type { z } from "zod";
import type { HeardBy, When } from "./stream.ts";

/** A row of facts, by key. */
export interface FactsRef<T> {
  readonly kind: "facts";
  readonly of: Facts<T>;
  readonly key: string;
}

/**
 * Facts that decide (fees, partnerships, days begun). Unlike a read model they are written in the same transaction that
 * moves their checkpoint, and are never rebuilt live: what a decision reads here has been heard, exactly once.
 */
export interface Facts<T> {
  readonly kind: "facts";
  readonly name: string;
  readonly schema: z.ZodType<T>;
  readonly key: (event: Heard) => string | readonly string[] | null;
  readonly on: readonly When<T | null>[];
  at(key: string): FactsRef<T>;
}

/** Declares a table of facts: how each event changes a row, and which row it concerns (several, or none). */
export function facts<Sch extends z.ZodType, const H extends readonly When<z.output<Sch> | null, unknown>[]>(
  name: string,
  schema: Sch,
  definition: { on: H; key: (event: HeardBy<NoInfer<H>>) => string | readonly string[] | null },
): Facts<z.output<Sch>> {
  const declared: Facts<z.output<Sch>> = {
    kind: "facts",
    name,
    schema: schema as unknown as z.ZodType<z.output<Sch>>,
    key: definition.key as never,
    on: definition.on as readonly When<z.output<Sch> | null>[],
    at: (key) => ({ kind: "facts", of: declared, key }),
  };
  return declared;
}
