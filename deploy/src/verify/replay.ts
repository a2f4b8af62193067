import type { EventType } from "@tributary/contracts/event";
import { canonical } from "@tributary/runtime/canonical";
import type { Recorded } from "@tributary/runtime/log/log";
import { Folding } from "@tributary/runtime/read-models/fold";
import type { ReadModel } from "@tributary/runtime/read-models/read-model";
import { PARTITIONS, zero } from "@tributary/runtime/store/partition";
import { tableOf } from "./documents.ts";
import { RECORDED, Unreadable } from "./events.ts";
import type { Ground } from "./ground.ts";

/** What a document is when folded anew: its canonical bytes (null: there is none), or why it can't be folded. */
export type Replayed = { readonly bytes: string | null } | { readonly stuck: string };

/** Puts a list into an order that depends on the seed alone (mulberry32, Fisher and Yates). */
export function shuffled<T>(of: readonly T[], seed: number): T[] {
  let state = seed >>> 0;
  const random = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  const order = [...of];
  for (let at = order.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1));
    [order[at], order[other]] = [order[other]!, order[at]!];
  }
  return order;
}

interface Building {
  document: unknown;
  stuck: string | null;
}

/** How far the live read model had come: everything before its checkpoint, and of single documents more. */
class Reached {
  readonly #positions = new Map<string, number[]>();
  readonly #watermarks = new Map<string, Readonly<Record<string, number>>>();

  constructor(
    readonly ground: Ground,
    readonly service: string,
    readonly model: ReadModel<never>,
  ) {}

  async load(): Promise<void> {
    const { name, version } = this.model;
    for (const { source, partition, position } of await this.ground
      .state(this.service)
      .rows<{ source: string; partition: number; position: number }>(
        "select source, partition, position from runtime.checkpoints where reader = $1",
        [`${name}@${version}`],
      )) {
      const positions = this.#positions.get(source) ?? zero();
      positions[partition] = position;
      this.#positions.set(source, positions);
    }
  }

  /** Whether the live document has been told of the event. */
  async has(source: string, { partition, sequence }: Recorded, id: string): Promise<boolean> {
    if (sequence <= (this.#positions.get(source)?.[partition] ?? 0)) return true;
    let watermark = this.#watermarks.get(id);
    if (!watermark) {
      const [row] = await this.ground
        .state(this.service)
        .rows<{ watermark: Record<string, number> }>(
          `select watermark from ${tableOf(this.model)} where id = $1`,
          [id],
        );
      watermark = row?.watermark ?? {};
      this.#watermarks.set(id, watermark);
    }
    return sequence <= (watermark[`${source}:${partition}`] ?? 0);
  }
}

/**
 * Folds a read model from scratch, one whole partition after the other in an order drawn from the seed, as far as the live one had
 * come. Reads only; nobody is called and nothing is written.
 */
export async function replay(
  ground: Ground,
  service: string,
  model: ReadModel<never>,
  seed: number,
): Promise<Map<string, Replayed>> {
  const folding = new Folding(model);
  const reached = new Reached(ground, service, model);
  await reached.load();
  const documents = new Map<string, Building>();
  const heard = (model.on as unknown as readonly { event: EventType }[]).map(({ event }) => event);
  const parts = folding.sources.flatMap((source) =>
    Array.from({ length: PARTITIONS }, (_, partition) => ({ source, partition })),
  );
  for (const { source, partition } of shuffled(parts, seed)) {
    const types = heard.filter(({ owner }) => owner === source).map(({ type }) => type);
    const rows = ground
      .log(source)
      .stream<Recorded & Record<string, unknown>>(
        `select ${RECORDED} from ${source}.events where partition = $1 and type = any($2) order by sequence`,
        [partition, types],
      );
    for await (const event of rows) {
      const step = readable(source, event, () => folding.step(source, event));
      for (const id of step?.keys ?? []) {
        if (!(await reached.has(source, event, id))) continue;
        const building = documents.get(id) ?? { document: null, stuck: null };
        documents.set(id, building);
        if (building.stuck !== null) continue;
        try {
          building.document = folding.apply(step!, building.document) ?? null;
        } catch (error) {
          building.stuck = (error as Error).message;
        }
      }
    }
  }
  return new Map([...documents].map(([id, building]) => [id, stored(folding, building)]));
}

function readable<T>(source: string, event: Recorded, act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw new Unreadable(source, event, error);
  }
}

function stored(folding: Folding, { document, stuck }: Building): Replayed {
  if (stuck !== null) return { stuck };
  try {
    const encoded = folding.encode(document);
    return { bytes: encoded === null ? null : canonical(JSON.parse(canonical(encoded))) };
  } catch (error) {
    return { stuck: (error as Error).message };
  }
}
