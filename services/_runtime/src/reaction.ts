import type { EventType, Heard } from "@tributary/contracts/event";
import type { z } from "zod";
import type { Deciding, NotYet, Outcome, Reads, Refs } from "./decision.ts";

/** What is heard when any of these types is recorded, told apart by `type`. */
export type HeardOf<Ts extends readonly EventType<string, never>[] | readonly unknown[]> = {
  [I in keyof Ts]: Ts[I] extends EventType<infer T, infer S> ? Heard<T, z.output<S>> : never;
}[number];

/** A reaction, its types forgotten. */
export interface Reaction {
  readonly kind: "reaction";
  readonly name: string;
  readonly on: readonly EventType[];
  readonly reads: (event: never) => Refs;
  readonly andThen: (event: never, first: never) => Refs;
  readonly decide: (event: never, reads: never, deciding: Deciding) => Outcome | NotYet;
}

/**
 * What a service does by itself when it hears of an event, exactly once per event: its checkpoint stands in the same unit
 * as what it appends. `reads` (and `andThen`, for what can only be named after the first reading) say what the decision needs;
 * the runtime reads it for a whole batch at once. Streams read become guards. A missing fact is `notYet`, never "nothing".
 * A reaction never refuses: it answers what to append, perhaps nothing, or fails loudly and the event is held with its cause.
 */
export function reaction<
  const Ts extends readonly unknown[],
  const F extends Refs = Record<never, never>,
  const G extends Refs = Record<never, never>,
>(
  name: string,
  definition: {
    on: Ts;
    reads?: (event: HeardOf<NoInfer<Ts>>) => F;
    andThen?: (event: HeardOf<NoInfer<Ts>>, first: Reads<NoInfer<F>>) => G;
    decide: (
      event: HeardOf<NoInfer<Ts>>,
      reads: Reads<NoInfer<F>> & Reads<NoInfer<G>>,
      deciding: Deciding,
    ) => Outcome | NotYet;
  },
): Reaction {
  return {
    kind: "reaction",
    name,
    on: definition.on as unknown as readonly EventType[],
    reads: (definition.reads ?? (() => ({}))) as never,
    andThen: (definition.andThen ?? (() => ({}))) as never,
    decide: definition.decide as never,
  };
}
