import { heardOnce } from "../log/heard.ts";
import type { Tail } from "../log/tail.ts";
import { reached, zero } from "../store/partition.ts";
import type { DocumentRow, HeldDocument } from "./document-store.ts";
import type { Folding } from "./fold.ts";

const CHUNK = 2000;

interface Building {
  document: unknown;
  readonly watermark: Record<string, number>;
  held: HeldDocument | null;
  /** The last event folded, by type and time. */
  type: string;
  time: string;
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
        const step = folding.step(name, event, heardOnce);
        if (!step) continue;
        const mark = `${name}:${event.partition}`;
        for (const id of step.keys) {
          let building = documents.get(id);
          if (!building) {
            building = { document: null, watermark: {}, held: null, type: "", time: "" };
            documents.set(id, building);
          }
          if (building.held) continue;
          try {
            building.type = event.type;
            building.time = event.time;
            building.document = folding.apply(step, building.document) ?? null;
            building.watermark[mark] = event.sequence;
          } catch (error) {
            building.held = heldFromZero(building, error, sources);
          }
        }
      }
    }
    await reading;
    positions[name] = at;
  }
  return { rows: rowsOf(folding, documents, sources), positions };
}

const heldFromZero = (
  { type, time }: Building,
  error: unknown,
  sources: readonly { readonly name: string }[],
): HeldDocument => ({
  cause: (error as Error).message,
  type,
  since: time,
  from: Object.fromEntries(sources.map(({ name }) => [name, zero()])),
});

function* rowsOf(
  folding: Folding,
  documents: ReadonlyMap<string, Building>,
  sources: readonly { readonly name: string }[],
): Generator<DocumentRow> {
  for (const [id, building] of documents) {
    const { document, watermark, held } = building;
    try {
      yield { id, doc: folding.encode(document), revision: 1, watermark, held };
    } catch (error) {
      yield { id, doc: null, revision: 1, watermark: {}, held: heldFromZero(building, error, sources) };
    }
  }
}
