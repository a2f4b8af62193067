import type { Violation } from "./findings.ts";
import type { Verdict } from "./verify.ts";

/** So many violations of one invariant are shown; `--json` shows a thousand. */
const SHOWN = 20;

const told = ({ service, stream, row, what, amount }: Violation): string => {
  const where = [stream, row].filter((part) => part !== null).join(", ");
  return `      ${service}: ${where}: ${what}${amount === null ? "" : ` [off by ${amount}]`}`;
};

/** One invariant as lines for a person: that it holds, over how much, or every violation with its row. */
export function linesOf({ invariant, title, holds, counted, violated, violations, ms }: Verdict): string[] {
  const numbers = Object.entries(counted).map(([what, count]) => `${count} ${what}`);
  const seconds = `${(ms / 1000).toFixed(1)} s`;
  const verdict = holds ? "holds" : `VIOLATED ${violated} times`;
  const more = violated > SHOWN ? [`      and ${violated - SHOWN} more`] : [];
  return [
    `${invariant}  ${verdict}: ${title} (${numbers.join(", ") || "nothing to check"}; ${seconds})`,
    ...violations.slice(0, SHOWN).map(told),
    ...more,
  ];
}
