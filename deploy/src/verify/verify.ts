import { chargedOnce } from "./charged-once.ts";
import { doubleEntry } from "./double-entry.ts";
import { earningsFollowMetrics } from "./earnings-follow-metrics.ts";
import { Unreadable } from "./events.ts";
import { Findings, type Violation } from "./findings.ts";
import { Ground } from "./ground.ts";
import { noGaps } from "./no-gaps.ts";
import { replaysAlike } from "./replays-alike.ts";
import { restatementsAddUp } from "./restatements-add-up.ts";
import { statementsAddUp } from "./statements-add-up.ts";

type Check = (ground: Ground, findings: Findings, seed: number) => Promise<void>;

/** What must hold of every data directory, in the words of the design; I7, I8 and I10 can't be seen in data. */
const INVARIANTS: readonly (readonly [invariant: string, title: string, check: Check])[] = [
  ["I1", "every metric has the earnings it should, and no others", earningsFollowMetrics],
  ["I2", "statements add up, and carries chain", statementsAddUp],
  ["I3", "all months together book what the latest metric is worth", restatementsAddUp],
  ["I4", "nothing is charged twice", chargedOnce],
  ["I5", "no version and no sequence is missing", noGaps],
  ["I6", "read models are what a replay makes of them", replaysAlike],
  ["I9", "every entry adds up to nothing", doubleEntry],
];

/** How one invariant stands. */
export interface Verdict {
  readonly invariant: string;
  readonly title: string;
  readonly holds: boolean;
  readonly counted: Readonly<Record<string, number>>;
  /** All there are; `violations` keeps the first thousand. */
  readonly violated: number;
  readonly violations: readonly Violation[];
  readonly digests: Findings["digests"];
  readonly ms: number;
}

/** Where the databases are, and from which seed I6 draws the order of partitions. */
export interface VerifyOptions {
  /** A superuser's address of a database by its name. */
  readonly addressOf: (database: string) => string;
  readonly seed: number;
  /** Told as soon as each is known. */
  readonly told?: (verdict: Verdict) => void;
}

/** Checks every invariant over one standstill of the data; changes nothing and waits for nobody. */
export async function verify({ addressOf, seed, told = () => undefined }: VerifyOptions): Promise<Verdict[]> {
  const ground = await Ground.open(addressOf);
  try {
    const verdicts: Verdict[] = [];
    for (const [invariant, title, check] of INVARIANTS) {
      const findings = new Findings();
      const begun = performance.now();
      try {
        await check(ground, findings, seed);
      } catch (error) {
        if (!(error instanceof Unreadable)) throw error;
        error.tell(findings);
      }
      const { violated, violations, counted, digests } = findings;
      const ms = Math.round(performance.now() - begun);
      const holds = violated === 0;
      const verdict = { invariant, title, holds, counted, violated, violations, digests, ms };
      verdicts.push(verdict);
      told(verdict);
    }
    return verdicts;
  } finally {
    await ground.close();
  }
}
