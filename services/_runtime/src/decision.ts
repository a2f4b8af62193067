import type { Day } from "@tributary/contracts/dates";
import type { NewEvent } from "@tributary/contracts/event";
import type { Caller } from "./caller.ts";
import type { FactsRef } from "./facts.ts";
import type { Progress, ProgressRef } from "./progress.ts";
import type { DocumentRef } from "./read-models/read-model.ts";
import type { StreamRef } from "./stream.ts";

/** What a decision is handed besides its input and what it has read: time, ids and codes are values, never looked up. */
export interface Deciding {
  /** The instant of the decision (ISO 8601, UTC), by the runtime's clock. */
  readonly now: string;
  /** The marketplace's day at that instant. */
  readonly today: Day;
  readonly caller: Caller | null;
  /** Where the service's own log stood when this decision read what it read (16 sequences). */
  readonly heads: readonly number[];
  /** The key of the command's own stream, as its `id` answered it; empty where there is none. */
  readonly key: string;
  id(): string;
  code(length: number): string;
}

/** Events on their way to a stream, with the version the decision expects to find there. */
export interface Addressed {
  readonly kind: "addressed";
  readonly stream: string;
  readonly expect: "read" | "new" | "any";
  readonly events: readonly NewEvent[];
}

/** A piece of work for later, written in the same unit as the events. Putting it again moves its due moment. */
export interface Scheduled {
  readonly kind: "scheduled";
  readonly job: string;
  readonly key: string;
  readonly due: string;
  readonly payload: unknown;
}

/** The decision can't be made yet: a fact is missing. The event waits, its stream behind it, until the facts move. */
export interface NotYet {
  readonly kind: "not-yet";
  readonly cause: string;
}

/** A stream by name, as far as addressing needs to know it. */
interface Target<E> {
  readonly kind: "stream";
  readonly id: string;
  readonly of: { readonly events?: E };
}

const addressed =
  (expect: Addressed["expect"]) =>
  <E>(target: Target<E>, ...events: NoInfer<E>[]): Addressed => ({
    kind: "addressed",
    stream: target.id,
    expect,
    events: events as NewEvent[],
  });

/** Appends to a stream that this decision has read: it stands only if the stream hasn't moved since. */
export const to = addressed("read");
/** Appends to a stream that must not exist: of two racing creations one wins. */
export const create = addressed("new");
/** Appends whatever the stream's version is; for facts without conflict. */
export const anyhow = addressed("any");

/** Puts a job on the table, by the job's name and a key of its own. */
export const schedule = (
  job: { readonly name: string },
  key: string,
  due: string,
  payload: unknown = null,
): Scheduled => ({
  kind: "scheduled",
  job: job.name,
  key,
  due,
  payload,
});

/** Says that a fact is missing, in words for the operator who looks at what is held. */
export const notYet = (cause: string): NotYet => ({ kind: "not-yet", cause });

/** Anything a decision may ask to read. A stream becomes a guard, facts decide, documents only inform. */
export type Ref =
  | { readonly kind: "stream"; readonly of: object; readonly id: string }
  | { readonly kind: "facts"; readonly of: object; readonly key: string }
  | { readonly kind: "document"; readonly of: object; readonly id: string }
  | ProgressRef;
export type Refs = { readonly [name: string]: Ref | readonly Ref[] };

type Read<R> =
  R extends StreamRef<infer S, infer _>
    ? S
    : R extends FactsRef<infer F>
      ? F | null
      : R extends DocumentRef<infer D>
        ? D | null
        : R extends ProgressRef
          ? Progress
          : never;

/** What has been read, under the names the decision gave: states, facts (null when absent), documents (null when absent). */
export type Reads<R> = {
  readonly [K in keyof R]: R[K] extends readonly (infer I)[] ? Read<I>[] : Read<R[K]>;
};

/** The effects of a decision: events for its own stream, events addressed elsewhere, work for later. */
export type Outcome<E = never> = readonly (E | Addressed | Scheduled)[];
