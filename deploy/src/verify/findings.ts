import type { Heard } from "@tributary/contracts/event";

/** Where something stands in the data directory: so that whoever repairs it can find it. */
export interface Place {
  /** The service whose database it is. */
  readonly service: string;
  /** Null for what belongs to no stream, e.g. a document. */
  readonly stream: string | null;
  /** Table and primary key. */
  readonly row: string;
}

/** What doesn't hold, and by how much. */
export interface Violation extends Place {
  readonly what: string;
  /** By how much it is too much (too little, below zero): dollars as decimal text, or how many are missing; null where nothing is off by a number. */
  readonly amount: string | null;
}

/** More of one kind than this tell nothing new; they are counted still. */
const KEPT = 1000;

/** The row of an event. */
export const placeOf = ({ source, stream, partition, sequence }: Heard): Place => ({
  service: source,
  stream,
  row: `${source}.events (${partition}, ${sequence})`,
});

/** What one check has seen: how much it looked at, and what doesn't hold. */
export class Findings {
  readonly violations: Violation[] = [];
  readonly counted: Record<string, number> = {};
  /** sha256 over the rows of a table as they stand and as they should, where a check compares whole tables. */
  readonly digests: Record<string, { readonly live: string; readonly replayed: string }> = {};
  #violated = 0;

  /** How many there were, those not kept included. */
  get violated(): number {
    return this.#violated;
  }

  /** Takes note of what was looked at, or couldn't be judged yet, by its name in the plural. */
  count(what: string, by = 1): void {
    this.counted[what] = (this.counted[what] ?? 0) + by;
  }

  /** Something doesn't hold. */
  found(at: Place, what: string, amount: string | null = null): void {
    this.#violated++;
    const { service, stream, row } = at;
    if (this.violations.length < KEPT) this.violations.push({ service, stream, row, what, amount });
  }
}
