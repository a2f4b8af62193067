import type { EventType, Heard, NewEvent } from "@tributary/contracts/event";
import type { z } from "zod";

/** How one event type moves a state. `E` remembers the type, so that a decision can only return what its stream evolves. */
export interface When<S, E = unknown> {
  readonly event: EventType;
  readonly fold: (state: S, event: Heard<string, never>) => S;
  readonly heard?: E;
}

/** Binds a fold to an event type; the fold is pure and sees the decoded event in its envelope. */
export function when<S, T extends string, Sch extends z.ZodObject>(
  event: EventType<T, Sch>,
  fold: (state: S, event: Heard<T, z.output<Sch>>) => NoInfer<S>,
): When<S, NewEvent<T, z.output<Sch>>> {
  return { event: event as unknown as EventType, fold: fold as never };
}

/** An aggregate: a name, the state before anything happened, and how each event moves it. */
export interface Stream<S, E = unknown> {
  readonly kind: "stream";
  readonly name: string;
  readonly initial: S;
  readonly handlers: ReadonlyMap<string, When<S>>;
  /** The events it evolves; only its type matters. */
  readonly events?: E;
  /** Names one instance: the stream id is `<name>/<key>`, where the key is natural and never personal data. */
  at(key: string): StreamRef<S, E>;
}

/** One instance of a stream. Read in a decision it becomes a guard: the decision stands only if it hasn't moved. */
export interface StreamRef<S, E = unknown> {
  readonly kind: "stream";
  readonly of: Stream<S, E>;
  readonly id: string;
}

type EventsOf<H extends readonly unknown[]> = NonNullable<
  { [I in keyof H]: H[I] extends { readonly heard?: infer E } ? E : never }[number]
>;

/** What is heard when one of these handlers' events is recorded. */
export type HeardBy<H extends readonly unknown[]> = {
  [I in keyof H]: H[I] extends { readonly heard?: infer E }
    ? E extends NewEvent<infer T, infer D>
      ? Heard<T, D>
      : never
    : never;
}[number];

/** Declares an aggregate. Streams that grow with time carry the period in their key. */
export function stream<S, const H extends readonly When<S, unknown>[]>(
  name: string,
  initial: S,
  handlers: H,
): Stream<S, EventsOf<H>> {
  const byType = new Map<string, When<S>>();
  for (const handler of handlers) {
    if (byType.has(handler.event.type)) throw new Error(`stream ${name} folds ${handler.event.type} twice`);
    byType.set(handler.event.type, handler);
  }
  const declared: Stream<S, EventsOf<H>> = {
    kind: "stream",
    name,
    initial,
    handlers: byType,
    at: (key) => ({ kind: "stream", of: declared, id: `${name}/${key}` }),
  };
  return declared;
}

/** Moves a state by one event whose data is already decoded; an event the stream doesn't fold leaves it as it is. */
export function evolve<S>(of: Stream<S>, state: S, event: Heard): S {
  const handler = of.handlers.get(event.type);
  return handler ? handler.fold(state, event as Heard<string, never>) : state;
}
