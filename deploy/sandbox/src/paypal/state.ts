import { type Book, type Movement, post } from "./ledger.ts";
import type { Kind, Kinds, Stored } from "./objects.ts";

/** The memory of the played PayPal. */
export interface State {
  rows: { [K in Kind]: Map<string, Kinds[K]> };
  /** The batch a sender_batch_id was last used for. */
  bySender: Map<string, string>;
  /** Whole cents as decimal text. */
  balances: Record<Book, string>;
}

/** Everything one request, or one due moment, changes at once. */
export interface Change {
  put: Stored[];
  drop: { kind: Kind; id: string }[];
  movements: Movement[];
}

/** So much lies in the platform's PayPal balance on the first day, in cents: enough never to be a test's concern unasked. */
const FUNDED_CENTS = "100000000000";

/** A funded account, and nobody paid yet. */
export function initial(): State {
  return {
    rows: {
      batch: new Map(),
      certificate: new Map(),
      credentials: new Map(),
      due: new Map(),
      item: new Map(),
      receiver: new Map(),
      token: new Map(),
      told: new Map(),
      webhook: new Map(),
    },
    bySender: new Map(),
    balances: { balance: FUNDED_CENTS, external: `-${FUNDED_CENTS}`, fees: "0", held: "0", receivers: "0" },
  };
}

/** Applies a change: rows replace their former selves, money moves. */
export function apply(state: State, { put, drop, movements }: Change): void {
  for (const row of put) {
    (state.rows[row.kind] as Map<string, Stored>).set(row.id, row);
    if (row.kind === "batch" && row.sent.sender_batch_id)
      state.bySender.set(row.sent.sender_batch_id, row.id);
  }
  for (const { kind, id } of drop) state.rows[kind].delete(id);
  for (const movement of movements) post(state.balances, movement);
}
