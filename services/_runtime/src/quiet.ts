import type { Hearing } from "./hearing.ts";
import type { JobRunner } from "./jobs/job-runner.ts";
import type { Tails } from "./log/tails.ts";
import type { Clock } from "./ports/clock.ts";
import type { QuietReport } from "./quiet-report.ts";

/** What a service looks at to say whether it is quiet. */
export interface Watched {
  readonly service: string;
  readonly process: string;
  readonly logs: readonly string[];
  readonly clock: Clock;
  readonly tails: Tails;
  readonly hearing: Hearing;
  readonly runner: JobRunner;
  /** What is known to be under way besides listening and jobs, in words. */
  readonly underWay: () => readonly string[];
}

/** Says whether a service is quiet. What is known to be busy is said at once; only a service that seems at rest asks the engine. */
export async function quietOf(watched: Watched): Promise<QuietReport> {
  const { service, process, logs, clock, tails, hearing, runner } = watched;
  const revision = clock.revision;
  const busy = (): string[] =>
    [
      ...hearing.behind(),
      ...(runner.running > 0 ? [`${runner.running} jobs are running`] : []),
      ...watched.underWay(),
    ].map((cause) => `${service}: ${cause}`);
  const doing = busy();
  if (doing.length > 0) {
    const heads = Object.fromEntries(logs.map((log) => [log, [...tails.get(log).heads]]));
    return { process, clock: revision, quiet: false, next_due: null, waiting: doing, heads, positions: {} };
  }
  const asked = new Map<string, readonly number[]>(
    await Promise.all(
      [...new Set([...hearing.logs, ...logs])].map(
        async (log) => [log, await tails.get(log).look()] as const,
      ),
    ),
  );
  const outlook = await runner.outlook();
  const waiting = [
    ...[...(await hearing.waiting(asked)), ...outlook.waiting].map((cause) => `${service}: ${cause}`),
    ...busy(),
  ];
  const of = (names: Iterable<string>) =>
    Object.fromEntries([...names].map((log) => [log, [...asked.get(log)!]]));
  return {
    process,
    clock: revision,
    quiet: waiting.length === 0 && clock.revision === revision,
    next_due: outlook.next,
    waiting,
    heads: of(logs),
    positions: of(hearing.logs),
  };
}
