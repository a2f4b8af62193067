import type { NewEvent } from "@tributary/contracts/event";
import type { z } from "zod";
import type { Caller, Role } from "./caller.ts";
import type { Deciding, Outcome, Reads, Refs } from "./decision.ts";
import type { Stream } from "./stream.ts";

type Params<R extends string> = R extends `${string}:${infer P}/${infer Rest}`
  ? P | Params<`/${Rest}`>
  : R extends `${string}:${infer P}`
    ? P
    : never;

type Checked<R extends string, I> =
  Exclude<Params<R>, keyof I> extends never
    ? R
    : `route parameter :${Exclude<Params<R>, keyof I>} is no field of input`;

/** Who may ask. `owns` answers the id that must be the caller's own; nothing or a stranger's is a 404. */
export interface Access<I, S> {
  readonly as: Role | readonly Role[];
  readonly owns?: (input: I, state: S, caller: Caller) => string | null | undefined;
}

/** Randomness for an act that begins something without a natural key. */
export interface Drawing {
  id(): string;
  code(length: number): string;
}

/** A command, its types forgotten: what the runtime mounts. */
export interface Command {
  readonly kind: "command";
  readonly route: string;
  readonly access: Access<never, never>;
  readonly input: z.ZodObject;
  readonly stream: Stream<never>;
  readonly id: (input: never, caller: Caller, drawing: Drawing) => string;
  readonly reads: (input: never, caller: Caller, state: never) => Refs;
  readonly andThen: (input: never, caller: Caller, state: never, first: never) => Refs;
  readonly decide: (input: never, state: never, reads: never, deciding: Deciding) => Outcome<NewEvent>;
  readonly reply: (state: never, input: never, reads: never) => unknown;
  readonly status: number;
}

/**
 * One act: its route, who may ask, what it needs, the pure decision, and the answer. Input is route parameters and JSON
 * body together, checked strictly. `id` names the instance of its stream (the caller's own ids are at hand: never take an
 * owner from the body). `reads` names what else the decision needs; streams read become guards. `decide` throws a Refusal
 * or answers the events of its stream, and whatever it addresses elsewhere. The answer is made of the state folded from
 * the stream.
 */
export function command<
  const R extends string,
  I extends z.ZodObject,
  S,
  E,
  const F extends Refs = Record<never, never>,
  const G extends Refs = Record<never, never>,
>(definition: {
  route: R & Checked<R, z.output<I>>;
  access: Access<NoInfer<z.output<I>>, NoInfer<S>>;
  input: I;
  stream: Stream<S, E>;
  id: (input: NoInfer<z.output<I>>, caller: Caller, drawing: Drawing) => string;
  reads?: (input: NoInfer<z.output<I>>, caller: Caller, state: NoInfer<S>) => F;
  andThen?: (input: NoInfer<z.output<I>>, caller: Caller, state: NoInfer<S>, first: Reads<NoInfer<F>>) => G;
  decide: (
    input: NoInfer<z.output<I>>,
    state: NoInfer<S>,
    reads: Reads<NoInfer<F>> & Reads<NoInfer<G>>,
    deciding: Deciding,
  ) => Outcome<NoInfer<E>>;
  reply?: (
    state: NoInfer<S>,
    input: NoInfer<z.output<I>>,
    reads: Reads<NoInfer<F>> & Reads<NoInfer<G>>,
  ) => unknown;
  status?: number;
}): Command {
  return {
    kind: "command",
    route: definition.route,
    access: definition.access as never,
    input: definition.input,
    stream: definition.stream as never,
    id: definition.id as never,
    reads: (definition.reads ?? (() => ({}))) as never,
    andThen: (definition.andThen ?? (() => ({}))) as never,
    decide: definition.decide as never,
    reply: (definition.reply ?? ((state: S) => state)) as never,
    status: definition.status ?? 200,
  };
}
