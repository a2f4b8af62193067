import { canonical } from "@tributary/runtime/canonical";
import type { QuietReport } from "@tributary/runtime/quiet-report";

/** Whether everything has come to rest, what is due next by itself (ISO 8601), and who is still waited for, in words. */
export interface QuietAnswer {
  readonly quiet: boolean;
  readonly next_due: string | null;
  readonly waiting: readonly string[];
}

/** One round of asking every process; `silent` names the processes that didn't answer. */
export interface Round {
  readonly reports: readonly QuietReport[];
  readonly silent: readonly string[];
}

const SHORTEST_PAUSE_MS = 2;
const LONGEST_PAUSE_MS = 50;

const highest = (one: readonly number[], other: readonly number[]): number[] =>
  Array.from({ length: Math.max(one.length, other.length) }, (_, index) =>
    Math.max(one[index] ?? 0, other[index] ?? 0),
  );

function headsIn(reports: readonly QuietReport[]): Map<string, number[]> {
  const heads = new Map<string, number[]>();
  for (const report of reports)
    for (const [log, vector] of Object.entries(report.heads))
      heads.set(log, highest(heads.get(log) ?? [], vector));
  return heads;
}

/** What one round still waits for: somebody is busy, follows another moment of the clock, or hasn't heard all of a log. */
export function waitingFor({ reports, silent }: Round, clock: number | null): string[] {
  const waiting = silent.map((process) => `${process} does not answer`);
  const heads = headsIn(reports);
  const moment = clock ?? reports[0]?.clock ?? null;
  for (const { process, clock: follows, quiet, waiting: for_, positions } of reports) {
    if (follows !== moment) waiting.push(`${process} follows move ${follows} of the clock, not ${moment}`);
    if (!quiet)
      waiting.push(...(for_.length > 0 ? for_.map((what) => `${process}: ${what}`) : [`${process}`]));
    for (const [log, position] of Object.entries(positions)) {
      const head = heads.get(log);
      if (!head) waiting.push(`${process} reads ${log}, whose owner does not report`);
      else if (highest(head, position).some((sequence, index) => sequence > (position[index] ?? 0)))
        waiting.push(`${process} has not heard all of ${log}`);
    }
  }
  return waiting;
}

const earliest = (reports: readonly QuietReport[]): string | null =>
  reports
    .map(({ next_due }) => next_due)
    .filter((due) => due !== null)
    .reduce<string | null>(
      (first, due) => (first === null || Date.parse(due) < Date.parse(first) ? due : first),
      null,
    );

/**
 * Joins what the processes say of themselves. One round proves nothing, for what one process sent may be on its way to another
 * that was asked before; two rounds in a row that say the very same, all quiet and all at their heads, prove that nothing moved.
 * Asks again until then, or until `waitMs` of real time have passed.
 */
export async function joinQuiet(
  ask: () => Promise<Round>,
  { clock, waitMs }: { readonly clock: number | null; readonly waitMs: number },
): Promise<QuietAnswer> {
  const giveUpAt = performance.now() + waitMs;
  let before: string | null = null;
  let pauseMs = SHORTEST_PAUSE_MS;
  for (;;) {
    const round = await ask();
    const waiting = waitingFor(round, clock);
    const said = waiting.length === 0 ? canonical(round.reports) : null;
    const next_due = earliest(round.reports);
    if (said !== null && said === before) return { quiet: true, next_due, waiting: [] };
    // A first quiet round is followed by its second at once, whatever the hour.
    const isFirst = said !== null && before === null;
    before = said;
    if (isFirst) continue;
    if (performance.now() >= giveUpAt)
      return { quiet: false, next_due, waiting: waiting.length > 0 ? waiting : ["something moved just now"] };
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
  }
}
