import type { EventType } from "@tributary/contracts/event";
import type pg from "pg";
import type { Positions } from "./act.ts";
import type { Sources } from "./decisions.ts";
import { effectAsReaction } from "./effects.ts";
import { FactsTable } from "./facts-table.ts";
import type { Tails } from "./log/tails.ts";
import type { Moves } from "./moves.ts";
import type { Progress } from "./progress.ts";
import { FactsRunner } from "./reactions/facts-runner.ts";
import { ReactionRunner, type Running } from "./reactions/reaction-runner.ts";
import type { Reader } from "./reactions/reader.ts";
import type { Documents } from "./read-models/documents.ts";
import { Folding } from "./read-models/fold.ts";
import { PostgresDocumentStore } from "./read-models/postgres-store.ts";
import { ReadModelWorker } from "./read-models/worker.ts";
import type { Service } from "./service.ts";
import { reached, zero } from "./store/partition.ts";

const SHOWS_WITHIN_MS = 2000;

/** What everything that listens in a service is made from. */
export interface HearingOptions {
  readonly service: Service;
  readonly tails: Tails;
  readonly pool: pg.Pool;
  /** Connections for documents, whose writes need not be durable: they can be folded again. */
  readonly folds: pg.Pool;
  readonly moves: Moves;
  /** What its runners work with, but for what only listening can tell. */
  readonly running: (told: {
    facts: ReadonlyMap<string, FactsTable>;
    documents: (model: string) => Documents<unknown>;
    progress: (reader: string, source: string) => Promise<Progress>;
    moved: (reader: string) => void;
  }) => Running;
}

/** Everything that listens in a service: its facts, its read models, its reactions and what its effects wait for. */
export class Hearing {
  readonly #service: Service;
  readonly #tails: Tails;
  readonly #moves: Moves;
  readonly #running: Running;
  readonly #stores: ReadonlyMap<string, PostgresDocumentStore>;
  readonly #tables: ReadonlyMap<string, FactsTable>;
  #workers: readonly ReadModelWorker[] = [];
  #facts: readonly FactsRunner[] = [];
  #reactions: readonly ReactionRunner[] = [];
  /** The logs it hears. */
  readonly logs: ReadonlySet<string>;

  constructor({ service, tails, pool, folds, moves, running }: HearingOptions) {
    this.#service = service;
    this.#tails = tails;
    this.#moves = moves;
    this.#stores = new Map(
      service.readModels.map((model) => [model.name, new PostgresDocumentStore(folds, model)]),
    );
    this.#tables = new Map(service.facts.map((table) => [table.name, new FactsTable(pool, table)]));
    this.#running = running({
      facts: this.#tables,
      documents: (model) => this.documents(model),
      progress: (reader, source) => this.#progress(reader, source),
      moved: (reader) => {
        for (const one of this.#reactions) if (this.#tables.has(reader) || one.watches(reader)) one.ask();
        moves.tell();
      },
    });
    this.logs = new Set([
      ...service.readModels.flatMap((model) => new Folding(model).sources),
      ...[...this.#tables.values()].flatMap((table) => table.sources),
      ...service.reactions.flatMap(({ on }) => on.map(({ owner }: EventType) => owner)),
      ...service.effects.map(({ on }) => on.owner),
    ]);
  }

  /** Where decisions of this service read from. */
  get sources(): Sources {
    return this.#running.sources;
  }

  /** Builds what isn't built, then follows; effects begin at the present heads the first time they are known, or at zero if told. */
  async start(effectsFromZero: boolean): Promise<void> {
    for (const log of this.logs) await this.#tails.start(log);
    this.#assemble();
    for (const worker of this.#workers) {
      await worker.start();
      worker.onMove(() => this.#moves.tell());
    }
    for (const one of this.#facts) await one.start();
    for (const { name, on } of this.#service.effects) {
      const heads = await this.#tails.get(on.owner).look();
      await this.#running.checkpoints.begin(name, on.owner, effectsFromZero ? zero() : heads);
    }
    for (const one of this.#reactions) await one.start();
  }

  #assemble(): void {
    const { reactions, effects, readModels } = this.#service;
    const tailOf = (source: string) => this.#tails.get(source);
    this.#facts = [...this.#tables.values()].map((table) => new FactsRunner(table, this.#running, tailOf));
    this.#reactions = [...reactions, ...effects.map(effectAsReaction)].map(
      (reaction) => new ReactionRunner(reaction, this.#running, tailOf),
    );
    this.#workers = readModels.map(
      (model) =>
        new ReadModelWorker(new Folding(model), this.#stores.get(model.name)!, tailOf, this.#running.logger),
    );
  }

  async stop(): Promise<void> {
    await Promise.all(this.#reactions.map((one) => one.stop()));
    await Promise.all(this.#facts.map((one) => one.stop()));
    await Promise.all(this.#workers.map((worker) => worker.stop()));
  }

  /** The documents of a read model; throws when the service has none of that name. */
  documents(model: string): Documents<unknown> {
    const store = this.#stores.get(model);
    if (!store) throw new Error(`${this.#service.name} has no read model ${model}`);
    return store.documents();
  }

  #readersOf(name: string): readonly Reader[] {
    const named = [
      ...this.#facts.map((one) => ({ name: one.table.facts.name, readers: one.readers })),
      ...this.#reactions.map((one) => ({ name: one.reaction.name, readers: one.readers })),
    ];
    return named.find((one) => one.name === name)?.readers ?? [];
  }

  /** Position first, then what is held: an event is held in the unit that moves the position past it. */
  async #progress(reader: string, source: string): Promise<Progress> {
    const here = this.#readersOf(reader).find((one) => one.source === source)?.position;
    const local = here ? [...here] : null;
    const stored = await this.#running.checkpoints.position(reader, source);
    const position = stored.map((sequence, partition) => Math.max(sequence, local?.[partition] ?? 0));
    return { position, held: await this.#running.checkpoints.heldTenants(reader, source) };
  }

  /** Waits until everything at or before these positions is shown; false after its bound. */
  async shows(positions: Positions): Promise<boolean> {
    const until = performance.now() + SHOWS_WITHIN_MS;
    while (this.#hides(positions)) {
      const left = until - performance.now();
      if (left <= 0) return false;
      await this.#moves.within(left);
    }
    return true;
  }

  #hides(positions: Positions): boolean {
    const factsReaders = this.#facts.flatMap(({ readers }) => readers);
    return [...positions].some(([log, places]) =>
      [...places].some(
        ([partition, sequence]) =>
          this.#workers.some(
            (worker) => (worker.position(log)?.[partition] ?? Number.POSITIVE_INFINITY) < sequence,
          ) || factsReaders.some((reader) => reader.source === log && reader.position[partition]! < sequence),
      ),
    );
  }

  /** Who is known to be behind, in words, without asking the engine. */
  behind(): string[] {
    const heads = new Map([...this.logs].map((log) => [log, this.#tails.get(log).heads] as const));
    const lags = (reader: Reader): boolean => !reached(reader.position, heads.get(reader.source)!);
    return [
      ...this.#workers.filter((worker) => !worker.standsAt(heads)).map((worker) => worker.folding.model.name),
      ...this.#facts.filter(({ readers }) => readers.some(lags)).map((one) => one.table.facts.name),
      ...this.#reactions.filter(({ readers }) => readers.some(lags)).map((one) => one.reaction.name),
    ].map((name) => `${name} is behind`);
  }

  /** Who is behind these heads, or retries something, in words. */
  async waiting(heads: ReadonlyMap<string, readonly number[]>): Promise<string[]> {
    return [
      ...this.#workers
        .filter((worker) => !worker.standsAt(heads))
        .map((worker) => `${worker.folding.model.name} is behind`),
      ...this.#facts.flatMap((one) => one.waiting(heads)),
      ...(await Promise.all(this.#reactions.map((one) => one.waiting(heads)))).flat(),
    ];
  }

  async heldDocuments(): Promise<{ readModel: string; id: string; cause: string }[]> {
    const held = [...this.#stores].map(async ([readModel, store]) =>
      (await store.heldDocuments()).map(({ id, held }) => ({ readModel, id, cause: held!.cause })),
    );
    return (await Promise.all(held)).flat();
  }

  /** Lets a held document go on. Throws for a read model the service doesn't have. */
  async releaseDocument(readModel: string, id: string): Promise<void> {
    const worker = this.#workers.find(({ folding }) => folding.model.name === readModel);
    if (!worker) throw new Error(`${this.#service.name} has no read model ${readModel}`);
    await worker.release(id);
  }
}
