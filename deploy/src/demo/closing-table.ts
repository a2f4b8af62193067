import { asE4, type E4, formatE4, sum } from "@tributary/contracts/money";
import { grouped } from "./grouped.ts";
import { apart, type Compared, complaints } from "./reconciliation.ts";
import type { Played } from "./run-demo.ts";
import { table } from "./telling.ts";

const PAIR = ["earned", "adjusted", "rounded", "carried", "charged", "paid", "unexplained"] as const;

/** Which comparisons stand in a row of each kind, and what they are called there. */
const KINDS: readonly {
  readonly of: Compared["of"];
  readonly head: string;
  readonly columns: readonly Compared["what"][];
}[] = [
  { of: "sales", head: "earned, reckoned from the shop's own sales", columns: ["earned"] },
  { of: "charge", head: "charge, against Stripe's books and journal", columns: ["gross", "fee", "asked"] },
  {
    of: "payout",
    head: "payout, against the partner's books and journal",
    columns: ["paid", "fee", "asked"],
  },
  { of: "book", head: "balances, and what all books add up to", columns: ["balance", "sum", "left over"] },
];

/** The end of the story: what became of all that was earned, then our books beside the partners', one row per charge and payout. */
export function closingTable({ totals, verdict, named }: Played): string[] {
  const pairs = totals.pairs.map((pair) => [pair.brand, pair.creator, ...PAIR.map((column) => pair[column])]);
  return [
    "",
    ...table(["brand", "creator", ...PAIR], [...pairs, totalRow(totals.pairs)], 2),
    ...KINDS.flatMap(({ of, head, columns }) => {
      const rows = [
        ...grouped(
          verdict.compared.filter((one) => one.of === of),
          ({ id }) => id,
        ),
      ].map(([id, group]) => [
        named(id),
        ...columns.flatMap((what) => sides(group, what)),
        formatE4(sum(group.map(apart))),
      ]);
      const titles = columns.flatMap((what) => [`our ${what}`, `their ${what}`]);
      return rows.length === 0 ? [] : ["", ...table([head, ...titles, "difference"], rows, 1)];
    }),
    "",
    ...complaints(verdict).map((sentence) => `DIFFERS: ${sentence}`),
    `All differences: ${totals.differences}`,
  ];
}

/** Both sides of one comparison; dashes where a row has none of this kind. */
function sides(group: readonly Compared[], what: Compared["what"]): [string, string] {
  const of = group.filter((one) => one.what === what);
  if (of.length === 0) return ["-", "-"];
  const last = of.at(-1)!;
  return [formatE4(last.ours), formatE4(last.theirs)];
}

function totalRow(pairs: Played["totals"]["pairs"]): string[] {
  const total = (column: (typeof PAIR)[number]): E4 =>
    asE4(pairs.reduce((so_far, pair) => so_far + BigInt(pair[column].replace(".", "")), 0n));
  return ["together", "", ...PAIR.map((column) => formatE4(total(column)))];
}
