import type { Caller } from "./caller.ts";
import type { Use } from "./client.ts";
import type { Deciding, Outcome, Reads, Refs } from "./decision.ts";
import type { Logger } from "./logs.ts";
import type { Documents } from "./read-models/documents.ts";
import type { ReadModel } from "./read-models/read-model.ts";

/** What code that stands outside of pure decisions (routes of its own, jobs, effects) may do. */
export interface Acting {
  readonly now: string;
  readonly caller: Caller | null;
  readonly log: Logger;
  readonly use: Use;
  id(): string;
  code(length: number): string;
  documents<T>(of: ReadModel<T>): Documents<T>;
  /** Where the service's own log stands now (16 sequences); everything this caller appended lies at or before it. */
  heads(): Promise<readonly number[]>;
  /**
   * Reads, decides and appends in one unit, again when it lost a race; answers what was read and the events recorded.
   * Inside a job or effect the unit also checks the run: one that lost its lease can't write.
   */
  act<const F extends Refs>(
    reads: F,
    decide: (reads: Reads<F>, deciding: Deciding) => Outcome,
  ): Promise<{ reads: Reads<F> }>;
  /** Reads without deciding. */
  read<const F extends Refs>(reads: F): Promise<Reads<F>>;
}
