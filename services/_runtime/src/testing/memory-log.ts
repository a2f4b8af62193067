import type { NewEvent } from "@tributary/contracts/event";
import type { Log, Recorded } from "../log/log.ts";
import { partitionOf, type Vector, zero } from "../store/partition.ts";

/** The log of another service as a test tells it: events are serialized on the way in, like on any wire. */
export class MemoryLog implements Log {
  readonly #events: Recorded[][] = zero().map(() => []);
  readonly #versions = new Map<string, number>();
  readonly #listeners = new Set<(heads: Vector) => void>();

  constructor(readonly name: string) {}

  /** Records events on a stream, as its owner would. */
  record(stream: string, events: readonly NewEvent[], time: string, ids: () => string): void {
    const partition = partitionOf(stream);
    for (const event of events) {
      const version = (this.#versions.get(stream) ?? 0) + 1;
      this.#versions.set(stream, version);
      const list = this.#events[partition]!;
      list.push({
        partition,
        sequence: list.length + 1,
        stream,
        version,
        id: ids(),
        type: event.type,
        data: JSON.parse(JSON.stringify(event.json)),
        meta: { correlationid: "heard" },
        time,
      });
    }
    for (const listener of this.#listeners) listener(this.#heads());
  }

  #heads(): Vector {
    return this.#events.map((list) => list.length);
  }

  async heads(): Promise<Vector> {
    return this.#heads();
  }

  async read(after: readonly number[], limitPerPartition: number): Promise<Recorded[]> {
    return this.#events.flatMap((list, partition) =>
      list.slice(after[partition]!, after[partition]! + limitPerPartition),
    );
  }

  async follow(onHeads: (heads: Vector) => void): Promise<() => Promise<void>> {
    this.#listeners.add(onHeads);
    return async () => {
      this.#listeners.delete(onHeads);
    };
  }

  async close(): Promise<void> {
    this.#listeners.clear();
  }
}
