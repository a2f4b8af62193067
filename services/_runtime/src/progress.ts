import type { Vector } from "./store/partition.ts";

/** How far a reader of this service has come in a source, and what it holds. */
export interface Progress {
  /** Every event at or before this position has been decided, or is held. */
  readonly position: Vector;
  readonly held: readonly {
    readonly tenant: string | null;
    readonly stream: string;
    readonly cause: string;
  }[];
}

/** A reader and the source it is asked about. */
export interface ProgressRef {
  readonly kind: "progress";
  readonly reader: string;
  readonly source: string;
}

/** Names the progress of a reaction or facts table of this service; a `notYet` that read it is asked again when it moves. */
export const progress = {
  at: (reader: string, source: string): ProgressRef => ({ kind: "progress", reader, source }),
};
