import type { Recorded } from "../log/log.ts";
import type { Tail } from "../log/tail.ts";
import type { Logger } from "../logs.ts";
import { Mutex } from "../mutex.ts";
import { reached, type Vector, zero } from "../store/partition.ts";
import type { DocumentRow, DocumentStore, HeldDocument } from "./document-store.ts";
import type { Folding, Step } from "./fold.ts";
import { rebuild } from "./rebuild.ts";

const BATCH = 500;
const RETRY_MS = 200;
const SAVE_AFTER_MS = 100;
const RELEASES = 20;

interface Source {
  readonly name: string;
  readonly tail: Tail;
  position: Vector;
  /** The checkpoint as this process last knew it. */
  saved: Vector;
}

const pause = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    const end = (): void => {
      clearTimeout(timer);
      resolve();
    };
    signal.addEventListener("abort", end, { once: true });
  });

/**
 * Keeps one read model up to date in this process: it folds what its sources tell into documents, batch by batch. Documents carry
 * watermarks, so any number of processes may do the same at once. A document that can't be folded is held; others go on.
 */
export class ReadModelWorker {
  readonly folding: Folding;
  readonly #store: DocumentStore;
  readonly #sources: Source[];
  readonly #logger: Logger;
  readonly #stopping = new AbortController();
  readonly #folds = new Mutex();
  #loops: Promise<void>[] = [];
  #watchers = new Set<() => void>();
  #save: NodeJS.Timeout | undefined;
  #resets: (() => void)[] = [];
  #generation = 0;
  readonly #batch: number;

  constructor(
    folding: Folding,
    store: DocumentStore,
    tails: (source: string) => Tail,
    logger: Logger,
    { batch = BATCH }: { readonly batch?: number } = {},
  ) {
    this.folding = folding;
    this.#batch = batch;
    this.#store = store;
    this.#logger = logger.child({ reader: folding.model.name });
    this.#sources = folding.sources.map((name) => ({
      name,
      tail: tails(name),
      position: zero(),
      saved: zero(),
    }));
  }

  /** Builds the version if it isn't there yet, then follows. Resolves when it answers; the old version goes on elsewhere until then. */
  async start(): Promise<void> {
    await this.#store.build(() => rebuild(this.folding, this.#sources));
    await this.#store.dropOld();
    await this.#begin();
    for (const source of this.#sources) {
      this.#resets.push(source.tail.onReset(() => void this.#reset()));
      this.#loops.push(this.#follow(source));
    }
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    for (const off of this.#resets) off();
    await Promise.all(this.#loops);
    clearTimeout(this.#save);
    await this.#saveNow();
  }

  /** Where this process stands in a source; null when the read model doesn't hear it. */
  position(source: string): Vector | null {
    return this.#sources.find(({ name }) => name === source)?.position ?? null;
  }

  /** Whether every source is read to these heads. */
  standsAt(heads: ReadonlyMap<string, readonly number[]>): boolean {
    return this.#sources.every(({ name, position }) => reached(position, heads.get(name) ?? zero()));
  }

  /** Calls back after every move. */
  onMove(watcher: () => void): () => void {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  async #begin(): Promise<void> {
    for (const source of this.#sources) {
      source.position = await this.#store.checkpoint(source.name);
      source.saved = [...source.position];
    }
  }

  /** The engine may have forgotten what was written last: begin again where it says. */
  async #reset(): Promise<void> {
    await this.#folds.run(async () => {
      this.#generation++;
      try {
        await this.#begin();
      } catch (error) {
        this.#logger.warn({ error: (error as Error).message }, "can't read the checkpoint; trying again");
        setTimeout(() => void this.#reset(), RETRY_MS).unref();
      }
    });
  }

  async #follow(source: Source): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      await source.tail.beyond(source.position, signal);
      if (signal.aborted) return;
      try {
        const { position } = source;
        const events = await source.tail.read(position, this.#batch);
        if (events.length > 0) await this.#folds.run(() => this.#fold(source, position, events));
      } catch (error) {
        this.#logger.error(
          { source: source.name, error: (error as Error).message },
          "folding failed; trying again",
        );
        await pause(RETRY_MS, signal);
      }
    }
  }

  async #fold(source: Source, position: Vector, events: readonly Recorded[]): Promise<void> {
    if (source.position !== position) return;
    const generation = this.#generation;
    const steps: Step[] = [];
    const unreadable: Recorded[] = [];
    for (const event of events) {
      try {
        const step = this.folding.step(source.name, event);
        if (step && step.keys.length > 0) steps.push(step);
      } catch (error) {
        unreadable.push(event);
        this.#logger.error(
          {
            source: source.name,
            stream: event.stream,
            sequence: event.sequence,
            error: (error as Error).message,
          },
          "an event does not fit its contract",
        );
      }
    }
    if (unreadable.length > 0)
      throw new Error(`${unreadable.length} events of ${source.name} do not fit their contract`);
    let left = steps;
    while (left.length > 0) left = await this.#foldOnce(source, left);
    if (generation !== this.#generation) return;
    const next = [...position];
    for (const { partition, sequence } of events) next[partition] = sequence;
    source.position = next;
    for (const watcher of [...this.#watchers]) watcher();
    this.#save ??= setTimeout(() => void this.#saveNow(), SAVE_AFTER_MS);
  }

  /** Folds and writes; answers the steps of the documents that somebody else has written in between. */
  async #foldOnce(source: Source, steps: readonly Step[]): Promise<Step[]> {
    const ids = [...new Set(steps.flatMap(({ keys }) => keys))].sort();
    const stored = await this.#store.load(ids);
    const next = foldSteps(this.folding, source.name, steps, stored);
    for (const row of next.values()) {
      if (row.held && !stored.get(row.id)?.held) {
        this.#logger.error(
          { document: row.id, cause: row.held.cause },
          "a document can't be folded; it is held",
        );
        for (const { name } of this.#sources)
          (row.held.from as Record<string, Vector>)[name] = await this.#store.checkpoint(name);
      }
    }
    const changed = [...next.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
    if (changed.length === 0) return [];
    const written = await this.#store.write(changed);
    return steps.flatMap((step) => {
      const lost = step.keys.filter((id) => next.has(id) && !written.has(id));
      return lost.length > 0 ? [{ ...step, keys: lost }] : [];
    });
  }

  async #saveNow(): Promise<void> {
    this.#save = undefined;
    for (const source of this.#sources) {
      const { saved, position } = source;
      try {
        const stands = await this.#store.move(source.name, saved, position);
        source.saved = stands ?? position;
        if (stands && !reached(source.position, stands) && source.position === position) {
          source.position = position.map((sequence, partition) => Math.max(sequence, stands[partition]!));
          for (const watcher of [...this.#watchers]) watcher();
        }
      } catch (error) {
        this.#logger.warn(
          { error: (error as Error).message },
          "the checkpoint could not be saved; it is tried again with the next batch",
        );
      }
    }
  }

  /** Lets a held document go on: its events are read again from where they began to wait. Nothing is lost. */
  async release(id: string): Promise<void> {
    await this.#folds.run(async () => {
      for (let tries = 1; ; tries++) {
        const row = (await this.#store.load([id])).get(id);
        if (!row?.held) return;
        const freed = await this.#foldAgain(row, row.held);
        if ((await this.#store.write([freed])).has(id)) return;
        if (tries === RELEASES)
          throw new Error(`document ${id} moves while it is released; release it again`);
      }
    });
  }

  /** Reads what a document waits for up to the heads: whoever passed over it before it was loaded stood at or before them. */
  async #foldAgain(row: DocumentRow, { from }: HeldDocument): Promise<DocumentRow> {
    let freed: DocumentRow = { ...row, held: null };
    for (const { name, tail } of this.#sources) {
      const heads = [...(await tail.look())];
      let at = [...(from[name] ?? zero())];
      while (!reached(at, heads)) {
        for (const event of await tail.read(at, this.#batch)) {
          at = at.with(event.partition, event.sequence);
          const step = this.folding.step(name, event);
          if (!step?.keys.includes(row.id)) continue;
          const own = new Map([[row.id, freed]]);
          freed = foldSteps(this.folding, name, [{ ...step, keys: [row.id] }], own).get(row.id) ?? freed;
          if (freed.held) return { ...freed, held: { ...freed.held, from } };
        }
      }
    }
    return freed;
  }
}

/**
 * Folds steps of one source into stored documents; pure. Rows that nothing changed are left out. A held document that had to be
 * passed over is written again as it is, so that a release under way notices it.
 */
export function foldSteps(
  folding: Folding,
  source: string,
  steps: readonly Step[],
  stored: ReadonlyMap<string, DocumentRow>,
): Map<string, DocumentRow> {
  const byDocument = new Map<string, Step[]>();
  for (const step of steps) {
    for (const id of step.keys) {
      const { watermark } = stored.get(id) ?? unborn(id);
      if ((watermark[markOf(source, step)] ?? 0) >= step.event.sequence) continue;
      const own = byDocument.get(id);
      if (own) own.push(step);
      else byDocument.set(id, [step]);
    }
  }
  const next = new Map<string, DocumentRow>();
  for (const [id, own] of byDocument) {
    const row = stored.get(id) ?? unborn(id);
    next.set(id, row.held ? row : folded(folding, source, own, row));
  }
  return next;
}

const unborn = (id: string): DocumentRow => ({ id, doc: null, revision: 0, watermark: {}, held: null });
const markOf = (source: string, { event }: Step): string => `${source}:${event.partition}`;

function folded(folding: Folding, source: string, steps: readonly Step[], row: DocumentRow): DocumentRow {
  try {
    const watermark: Record<string, number> = { ...row.watermark };
    let document = folding.decode(row.doc);
    for (const step of steps) {
      document = folding.apply(step, document) ?? null;
      watermark[markOf(source, step)] = step.event.sequence;
    }
    return { ...row, doc: folding.encode(document), watermark };
  } catch {
    return upToTheFailing(folding, source, steps, row);
  }
}

/** Folds step by step, each to its stored form, and holds the document at the one that fails. */
function upToTheFailing(
  folding: Folding,
  source: string,
  steps: readonly Step[],
  row: DocumentRow,
): DocumentRow {
  let at = row;
  for (const step of steps) {
    try {
      const doc = folding.encode(folding.apply(step, folding.decode(at.doc)) ?? null);
      at = { ...at, doc, watermark: { ...at.watermark, [markOf(source, step)]: step.event.sequence } };
    } catch (error) {
      const { type } = step.event;
      const cause = (error as Error).message;
      return { ...at, held: { cause, type, since: step.heard.time, from: {} } };
    }
  }
  return at;
}
