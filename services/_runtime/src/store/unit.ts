/** An event in the form the store takes: data and envelope are JSON text already. */
export interface StoredEvent {
  readonly id: string;
  readonly type: string;
  readonly data: string;
  readonly meta: string;
}

/** Events for one stream. `expect` is the version the decision saw, or -1 for whatever there is. */
export interface Append {
  readonly stream: string;
  readonly expect: number;
  readonly events: readonly StoredEvent[];
}

/** A move of a reader's checkpoint; it counts only if the checkpoint still stands at `from`. */
export interface Move {
  readonly reader: string;
  readonly source: string;
  readonly partition: number;
  readonly from: number;
  readonly to: number;
}

/** An event that waits, with everything an operator needs to know. */
export interface Hold {
  readonly reader: string;
  readonly source: string;
  readonly stream: string;
  readonly partition: number;
  readonly sequence: number;
  /** The event itself, so that it can be asked again whatever has become of its log's reader. */
  readonly event: unknown;
  readonly tenant: string | null;
  readonly kind: "not-yet" | "failed";
  readonly cause: string;
  readonly attempts: number;
  /** Seconds of real time until a failed one is tried again. */
  readonly wait: number;
}

export interface HeldKey {
  readonly reader: string;
  readonly source: string;
  readonly stream: string;
  readonly sequence: number;
}

export interface JobRun {
  readonly name: string;
  readonly key: string;
  readonly run: number;
}

/** The answer of a command under an idempotency key, kept 7 days. */
export interface KeptAnswer {
  readonly caller: string;
  readonly key: string;
  readonly body_hash: string;
  readonly status: number;
  readonly answer: unknown;
}

/** What is appended as a whole or not at all. */
export interface Unit {
  readonly append?: readonly Append[];
  /** Streams that were read: the unit stands only if they haven't moved. */
  readonly unchanged?: readonly { readonly stream: string; readonly version: number }[];
  readonly moves?: readonly Move[];
  readonly hold?: readonly Hold[];
  readonly release?: readonly HeldKey[];
  /** Streams of which something must still be held: this unit holds events behind it. */
  readonly behind?: readonly Omit<HeldKey, "sequence">[];
  readonly jobs?: readonly {
    readonly name: string;
    readonly key: string;
    readonly due: string;
    readonly payload: unknown;
  }[];
  /** The run of the job that appends; refused when another run has taken over. */
  readonly run?: JobRun;
  readonly answer?: KeptAnswer;
}

/** Why a unit was refused: nothing of it was written. */
export type RefusedBecause = "version" | "guard" | "checkpoint" | "run" | "answered" | "released";

/** Where each append of an accepted unit begins: the sequence and the version before its first event. */
export interface Accepted {
  readonly refused: null;
  /** When it was recorded; later in the store only where a clock went back. */
  readonly time: string;
  readonly appended: readonly {
    readonly partition: number;
    readonly first: number;
    readonly base: number;
    readonly count: number;
  }[];
}

/** What became of a unit. */
export type Verdict = Accepted | { readonly refused: RefusedBecause };
