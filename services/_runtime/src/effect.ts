import type { EventType, Heard, NewEvent } from "@tributary/contracts/event";
import type { z } from "zod";
import type { Acting } from "./acting.ts";
import type { Outcome } from "./decision.ts";
import type { StreamRef } from "./stream.ts";

/** What a call of the outside world knows about its own past. */
export interface Calling extends Acting {
  /** 1 for the first run. */
  readonly run: number;
  /** True when an earlier run may have sent it (its answer was lost) or it is older than 23 hours: look it up at the partner first. */
  readonly lookFirst: boolean;
}

/** Not done yet: ask again at a moment of business time. */
export interface Later {
  readonly kind: "later";
  readonly due: string;
}
export const later = (due: string): Later => ({ kind: "later", due });

/** An effect, its types forgotten. */
export interface Effect {
  readonly kind: "effect";
  readonly name: string;
  readonly on: EventType;
  readonly stream: (event: never) => { readonly kind: "stream"; readonly of: object; readonly id: string };
  readonly due: (event: never) => string | null;
  readonly call: (event: never, state: never, calling: Calling) => Promise<Outcome<NewEvent> | Later>;
}

/**
 * Calls the outside world because of an event, as a leased job. It hears from the moment its service first knew it, never
 * the past. It is handed its own stream's state, and must answer nothing when the state says that it is done. What it
 * answers is appended to that stream if it hasn't moved. What it throws is retried with backoff; the partner's own
 * idempotency key must be natural, so that sending again is harmless.
 */
export function effect<T extends string, Sch extends z.ZodObject, S, E>(
  name: string,
  definition: {
    on: EventType<T, Sch>;
    stream: (event: Heard<T, z.output<Sch>>) => StreamRef<S, E>;
    due?: (event: Heard<T, z.output<Sch>>) => string | null;
    call: (
      event: Heard<T, z.output<Sch>>,
      state: NoInfer<S>,
      calling: Calling,
    ) => Promise<Outcome<NoInfer<E>> | Later>;
  },
): Effect {
  return {
    kind: "effect",
    name,
    on: definition.on as unknown as EventType,
    stream: definition.stream as never,
    due: (definition.due ?? (() => null)) as never,
    call: definition.call as never,
  };
}
