import type { Compared, Pace } from "./rounds.ts";

/** One line of the table: what was measured, beside its peer of the same run. */
export interface Figure {
  readonly id: string;
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** CPU time of this process per operation, in microseconds. */
  readonly cpu_us?: number;
  readonly peer?: { readonly name: string; readonly value: number; readonly cpu_us?: number };
  readonly ratio?: number;
  readonly goal?: Goal;
  /** What we would like to reach; missing it breaks nothing. */
  readonly aim?: Goal;
}

/** A bound of the ratio. */
export interface Goal {
  readonly at: "least" | "most";
  readonly ratio: number;
}

/** The ratio has to reach this. */
export const atLeast = (ratio: number): Goal => ({ at: "least", ratio });
/** The ratio may not exceed this. */
export const atMost = (ratio: number): Goal => ({ at: "most", ratio });

/** Whether a figure keeps its goal; null when it has none. */
export const holds = ({ ratio, goal }: Figure): boolean | null =>
  goal === undefined || ratio === undefined
    ? null
    : goal.at === "least"
      ? ratio >= goal.ratio
      : ratio <= goal.ratio;

/** A figure whose operations per second are compared: more is better. */
export const figureOf = (
  about: Pick<Figure, "id" | "name" | "unit" | "goal" | "aim"> & { readonly peer: string },
  { ours, peer, ratio }: Compared,
): Figure => ({ ...about, ...shown(ours), peer: { name: about.peer, ...shown(peer) }, ratio });

const shown = ({ per_second, cpu_us }: Pace) => ({ value: per_second, cpu_us });

const written = (goal: Goal | undefined): string | null =>
  goal ? `${goal.at === "least" ? ">=" : "<="} ${goal.ratio}x` : null;

const rounded = (value: number): number => (value >= 100 ? Math.round(value) : Number(value.toPrecision(3)));

/** The figures for programs. */
export const asJson = (figures: readonly Figure[]): string =>
  JSON.stringify(
    figures.map((figure) => ({
      id: figure.id,
      name: figure.name,
      value: rounded(figure.value),
      unit: figure.unit,
      ratio: figure.ratio === undefined ? null : Number(figure.ratio.toFixed(3)),
      goal: written(figure.goal),
      holds: holds(figure),
    })),
    null,
    2,
  );

const HEAD = ["figure", "value", "unit", "cpu us/op", "peer", "value", "cpu us/op", "ratio", "goal", "holds"];
const WORDS = new Set([0, 2, 4, 8, 9]);

const number = (value: number | undefined): string =>
  value === undefined ? "" : rounded(value).toLocaleString("en-US");

const verdict = (figure: Figure): string => {
  const kept = holds(figure);
  return kept === null ? "" : kept ? "yes" : "MISSED";
};

const cells = (figure: Figure): string[] => [
  figure.name,
  number(figure.value),
  figure.unit,
  number(figure.cpu_us),
  figure.peer?.name ?? "",
  number(figure.peer?.value),
  number(figure.peer?.cpu_us),
  figure.ratio === undefined ? "" : `${figure.ratio.toFixed(2)}x`,
  written(figure.goal) ?? (figure.aim ? `aim ${written(figure.aim)}` : ""),
  verdict(figure),
];

/** The figures for people. */
export function asTable(figures: readonly Figure[]): string[] {
  const rows = [HEAD, ...figures.map(cells)];
  const widths = HEAD.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) =>
        WORDS.has(column) ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!),
      )
      .join("  ")
      .trimEnd();
  return [
    line(HEAD),
    widths.map((width) => "-".repeat(width)).join("  "),
    ...figures.map((one) => line(cells(one))),
  ];
}
