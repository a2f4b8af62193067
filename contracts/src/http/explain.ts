import { z } from "zod";

/** What can be explained; each kind is answered by the one service that decided it. */
export const ExplainKind = z.enum(["payout", "charge", "statement", "earning", "metric"]);
export type ExplainKind = z.infer<typeof ExplainKind>;

/** Decimal text in dollars with four digits, whatever the column's own precision, so that levels can be added up. */
const amount = z.string();

/**
 * One level of an explanation, as its service tells it. An earning's id is `{earning_id}@{n}`: its n-th entry (1 the accrual,
 * then the adjustments); a metric's is `{metric_id}@{revision}`.
 */
export const ExplainNode = z.object({
  kind: ExplainKind,
  id: z.string(),
  /** One sentence for a person. */
  title: z.string(),
  /** The named amounts of the node; parents refer to them by name. */
  amounts: z.record(z.string(), amount),
  /** Which of them the children and parts below must add up to; null for a leaf, which is what a partner reported. */
  explains: z.string().nullable(),
  /** The rule in words, e.g. "sales x 25 %". */
  formula: z.string().nullable(),
  /** Arms that need no further level: rounding, fees of a partner. */
  parts: z.array(z.object({ label: z.string(), amount })),
  /** The next level: child amount `value` x percent / 100 flows into this node (negative percent takes away). */
  children: z.array(z.object({ kind: ExplainKind, id: z.string(), value: z.string(), percent: z.int() })),
  /** When it was recorded and by whom (an actor of the event), and the event itself. */
  recorded: z.object({ at: z.string(), by: z.string().nullable(), event_id: z.string(), stream: z.string() }),
  /** Anything else worth showing: rate version, report row, partner ids. */
  details: z.record(z.string(), z.union([z.string(), z.int(), z.boolean(), z.null()])),
});
export type ExplainNode = z.infer<typeof ExplainNode>;

/** A node with its children told in full and what they leave unexplained ("0.0000" when it adds up). */
export interface ExplainTree extends ExplainNode {
  residual: string;
  inner: ExplainTree[];
}
