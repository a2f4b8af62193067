import type { Tail } from "../log/tail.ts";
import { reached, zero } from "../store/partition.ts";
import type { DocumentRow, HeldDocument } from "./document-store.ts";
import type { Folding } from "./fold.ts";

const CHUNK = 2000;

interface Building {
  document: unknown;
  readonly watermark: Record<string, number>;
  held: HeldDocument | null;
}

/**
 * Folds a whole read model in memory, from the beginning to the heads as they stand when it gets there. It doesn't take the live
 * path: no document is read or written until the end. A document that can't be folded is held from the beginning of its logs.
 */
export async function rebuild(
  folding: Folding,
  sources: readonly { readonly name: string; readonly tail: Tail }[],
): Promise<{ rows: Iterable<DocumentRow>; positions: Record<string, readonly number[]> }> {
  const documents = new Map<string, Building>();
  const positions: Record<string, readonly number[]> = {};
  for (const { name, tail } of sources) {
    const at = zero();
    const heads = await tail.look();
    let reading = tail.read(at, CHUNK);
    while (!reached(at, heads)) {
      const events = await reading;
      for (const { partition, sequence } of events) at[partition] = sequence;
      reading = tail.read([...at], CHUNK);
      for (const event of events) {
        const step = folding.step(name, event);
        if (!step) continue;
        const mark = `${name}:${event.partition}`;
        for (const id of step.keys) {
          let building = documents.get(id);
          if (!building) {
            building = { document: null, watermark: {}, held: null };
            documents.set(id, building);
          }
          if (building.held) continue;
          try {
            building.document = folding.apply(step, building.document) ?? null;
            building.watermark[mark] = event.sequence;
          } catch (error) {
            const from = Object.fromEntries(sources.map((source) => [source.name, zero()]));
            building.held = { cause: (error as Error).message, type: event.type, since: event.time, from };
          }
        }
      }
    }
    await reading;
    positions[name] = at;
  }
  return { rows: rowsOf(folding, documents), positions };
}

function* rowsOf(folding: Folding, documents: ReadonlyMap<string, Building>): Generator<DocumentRow> {
  for (const [id, { document, watermark, held }] of documents) {
    yield { id, doc: folding.encode(document), revision: 1, watermark, held };
  }
}
