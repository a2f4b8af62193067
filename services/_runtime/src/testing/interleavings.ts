import type { NewEvent } from "@tributary/contracts/event";
import { canonical } from "../canonical.ts";
import type { Recorded } from "../log/log.ts";
import { Folding } from "../read-models/fold.ts";
import type { ReadModel } from "../read-models/read-model.ts";
import { partitionOf } from "../store/partition.ts";

/** An event on its stream, as the test tells the story; events of one stream stand in their order. */
export interface Told {
  readonly stream: string;
  readonly event: NewEvent;
  /** When it was recorded; by default one second after the one before. */
  readonly time?: string;
}

/** One stream's story: its name, then its events in their order. */
export type Story = readonly [stream: string, ...events: NewEvent[]];

/** What a read model hears of these streams, ready to be told in any order; events of logs it doesn't hear are left out. */
export function told<T>(model: ReadModel<T>, streams: readonly Story[]): Told[] {
  const { sources } = new Folding(model as unknown as ReadModel<never>);
  return streams.flatMap(([stream, ...events]) =>
    events.filter(({ owner }) => sources.includes(owner)).map((event) => ({ stream, event })),
  );
}

/** How often, and from which seed the orders are drawn, so that a failing one can be drawn again. */
export interface Drawn {
  readonly seed: number;
  readonly times: number;
}

const BEGINS = Date.parse("2026-01-01T12:00:00Z");

/**
 * Folds a read model in many random orders that keep only the order of each stream, stored and read again at random moments,
 * and answers its documents, stored form by id. Throws, naming document, seed and both forms, as soon as two orders differ.
 */
export function sameInEveryInterleaving<T>(
  model: ReadModel<T>,
  events: readonly Told[],
  { seed, times }: Drawn = { seed: 1, times: 50 },
): Map<string, unknown> {
  const folding = new Folding(model as unknown as ReadModel<never>);
  const streams = recorded(events);
  const unheard = [...streams.values()].flat().filter(({ source }) => !folding.sources.includes(source));
  if (unheard.length > 0)
    throw new Error(`${model.name} hears nothing of ${unheard[0]!.source}, so telling it proves nothing`);
  const first = foldOnce(folding, [...streams.values()].flat(), () => 1);
  for (let time = 1; time <= times; time++) {
    const random = drawing(seed * 1_000_003 + time);
    const next = foldOnce(folding, interleaved([...streams.values()], random), random);
    for (const id of new Set([...first.keys(), ...next.keys()])) {
      const [one, other] = [canonical(first.get(id) ?? null), canonical(next.get(id) ?? null)];
      if (one !== other)
        throw new Error(
          `document ${id} of ${model.name} depends on the order between streams (seed ${seed}, order ${time}):\n${one}\n${other}`,
        );
    }
  }
  return new Map([...first].filter(([, doc]) => doc !== null));
}

interface Placed {
  readonly source: string;
  readonly event: Omit<Recorded, "sequence">;
}

/** Gives every event what doesn't depend on the order: version, id, time. */
function recorded(events: readonly Told[]): Map<string, Placed[]> {
  const streams = new Map<string, Placed[]>();
  events.forEach(({ stream, event, time }, index) => {
    const name = `${event.owner}:${stream}`;
    const placed = streams.get(name) ?? [];
    streams.set(name, placed);
    placed.push({
      source: event.owner,
      event: {
        partition: partitionOf(stream),
        stream,
        version: placed.length + 1,
        id: `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`,
        type: event.type,
        data: JSON.parse(JSON.stringify(event.json)),
        meta: { correlationid: "told" },
        time: time ?? new Date(BEGINS + index * 1000).toISOString(),
      },
    });
  });
  return streams;
}

function interleaved(streams: readonly (readonly Placed[])[], random: () => number): Placed[] {
  const left = streams.map((placed) => [...placed]);
  const order: Placed[] = [];
  while (left.length > 0) {
    const at = Math.floor(random() * left.length);
    order.push(left[at]!.shift()!);
    if (left[at]!.length === 0) left.splice(at, 1);
  }
  return order;
}

/** Documents by id in their stored form; null for deleted ones. */
function foldOnce(folding: Folding, order: readonly Placed[], random: () => number): Map<string, unknown> {
  const documents = new Map<string, unknown>();
  const sequences = new Map<string, number>();
  for (const { source, event } of order) {
    const partition = `${source}:${event.partition}`;
    const sequence = (sequences.get(partition) ?? 0) + 1;
    sequences.set(partition, sequence);
    const step = folding.step(source, { ...event, sequence });
    for (const id of step?.keys ?? []) {
      const folded = folding.apply(step!, documents.get(id) ?? null) ?? null;
      documents.set(id, random() < 0.3 ? folding.decode(stored(folding, folded)) : folded);
    }
  }
  return new Map([...documents].map(([id, document]) => [id, stored(folding, document)]));
}

const stored = (folding: Folding, document: unknown): unknown =>
  JSON.parse(canonical(folding.encode(document)));

/** mulberry32: even enough for orders, and the same for the same seed. */
function drawing(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
