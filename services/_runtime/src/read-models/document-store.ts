import type { Vector } from "../store/partition.ts";
import type { Documents } from "./documents.ts";

/** A document with its bookkeeping: `doc` null is a tombstone (deleted) or something not yet born. */
export interface DocumentRow {
  readonly id: string;
  readonly doc: unknown;
  /** 0 for one that isn't stored yet. */
  readonly revision: number;
  /** Highest sequence folded, by `source:partition`. */
  readonly watermark: Readonly<Record<string, number>>;
  /** Why its events wait, and the checkpoints from which they must be read again. */
  readonly held: HeldDocument | null;
}

export interface HeldDocument {
  readonly cause: string;
  readonly type: string;
  readonly since: string;
  readonly from: Readonly<Record<string, Vector>>;
}

/**
 * Where the documents of one read model lie, together with its checkpoints. Two adapters (postgres, mongodb) pass one suite; none
 * needs transactions.
 */
export interface DocumentStore {
  /** Whether this version has been built. */
  ready(): Promise<boolean>;
  load(ids: readonly string[]): Promise<Map<string, DocumentRow>>;
  /** Writes those whose stored revision is still `revision`; answers the ids that were written. */
  write(rows: readonly DocumentRow[]): Promise<Set<string>>;
  checkpoint(source: string): Promise<Vector>;
  /** Moves it from one position to another; answers where it stands when somebody else has moved it. */
  move(source: string, from: readonly number[], to: readonly number[]): Promise<Vector | null>;
  /** Takes a whole read model folded in memory, with the positions it was folded to. One builder at a time; others wait. */
  build(
    fold: () => Promise<{
      rows: Iterable<DocumentRow>;
      positions: Readonly<Record<string, readonly number[]>>;
    }>,
  ): Promise<void>;
  heldDocuments(): Promise<DocumentRow[]>;
  documents<T>(): Documents<T>;
  /** Drops versions that have been superseded for a day. */
  dropOld(): Promise<void>;
}
