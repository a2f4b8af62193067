import type { FactsTable } from "../facts-table.ts";
import type { Tail } from "../log/tail.ts";
import { reached } from "../store/partition.ts";
import type { Running } from "./reaction-runner.ts";
import { Reader } from "./reader.ts";

const BATCH = 500;

/** Keeps one facts table: every heard event is folded once, in the transaction that moves its checkpoint. */
export class FactsRunner {
  readonly readers: readonly Reader[];

  constructor(
    readonly table: FactsTable,
    running: Running,
    tails: (source: string) => Tail,
  ) {
    const { name } = table.facts;
    const logger = running.logger.child({ reader: name });
    this.readers = table.sources.map(
      (source) =>
        new Reader({
          name,
          source,
          tail: tails(source),
          checkpoints: running.checkpoints,
          logger,
          batch: BATCH,
          together: true,
          hears: (event) => table.hears(source, event),
          take: (events, moves) => table.fold(source, events, moves),
          save: (moves) => table.fold(source, [], moves),
          moved: () => running.moved(name),
        }),
    );
  }

  async start(): Promise<void> {
    await this.table.create();
    for (const reader of this.readers) await reader.start();
  }

  async stop(): Promise<void> {
    await Promise.all(this.readers.map((reader) => reader.stop()));
  }

  waiting(heads: ReadonlyMap<string, readonly number[]>): string[] {
    return this.readers.flatMap((reader) =>
      reached(reader.position, heads.get(reader.source) ?? [])
        ? []
        : [`${this.table.facts.name} is behind ${reader.source}`],
    );
  }
}
