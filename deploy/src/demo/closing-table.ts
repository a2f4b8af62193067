import { type E4, formatE4 } from "@tributary/contracts/money";
import { apart, type Compared, complaints } from "./reconciliation.ts";
import type { Played } from "./run-demo.ts";
import { table } from "./telling.ts";

const PAIR = ["earned", "adjusted", "rounded", "carried", "charged", "paid", "unexplained"] as const;

/** The end of the story: what became of all that was earned, and our books beside the partners', comparison by comparison. */
export function closingTable({ totals, verdict }: Played): string[] {
  const pairs = totals.pairs.map((pair) => [pair.brand, pair.creator, ...PAIR.map((column) => pair[column])]);
  const compared = verdict.compared.map((one) => [one.of, one.id, one.what, ...amounts(one)]);
  const differing = complaints(verdict);
  return [
    "",
    ...table(["brand", "creator", ...PAIR], pairs, 2),
    "",
    ...table(["compared", "of", "what", "ours", "theirs", "difference"], compared, 3),
    "",
    ...differing.map((sentence) => `DIFFERS: ${sentence}`),
    `All differences: ${totals.differences}`,
  ];
}

const amounts = (one: Compared): string[] =>
  [one.ours, one.theirs, apart(one)].map((amount: E4) => formatE4(amount));
