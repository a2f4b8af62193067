import type { EventType } from "@tributary/contracts/event";
import type { NotYet, Outcome, Ref } from "../decision.ts";
import {
  advance,
  type Built,
  type Cause,
  deciding,
  forget,
  Reading,
  readAll,
  refsOf,
  type Sources,
  TakenInBatch,
  UnitBuilder,
} from "../decisions.ts";
import { heardFrom, tenantOf } from "../log/heard.ts";
import type { Recorded } from "../log/log.ts";
import type { Tail } from "../log/tail.ts";
import type { Logger } from "../logs.ts";
import { Mutex } from "../mutex.ts";
import type { Clock } from "../ports/clock.ts";
import type { Random } from "../ports/random.ts";
import type { Reaction } from "../reaction.ts";
import { reached } from "../store/partition.ts";
import type { HeldKey, Hold, Move } from "../store/unit.ts";
import type { Writer } from "../store/writer.ts";
import type { Checkpoints, HeldRow } from "./checkpoints.ts";
import { Reader } from "./reader.ts";

const RUN = 200;
const HELD_PAGE = 500;
const BACKOFF_SECONDS = [1, 2, 5, 15, 60, 300];
/** How often held events are looked for that another process held, or would have tried again, before it ended. */
const LOOK_MS = 5000;
/** A single event whose unit loses this many times in a row can't win: it expects what will never be. */
const MOST_LOSSES = 50;
/** After so many failures an event counts as parked: somebody has been told, and the clock need not wait for it. */
export const PARKED_AFTER = 4;

/** What every runner of a service works with. */
export interface Running {
  readonly sources: Sources;
  readonly writerOf: (owner: string) => Writer;
  readonly own: string;
  readonly checkpoints: Checkpoints;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** Told, with the reader's name, whenever a reader has moved: others may wait for it. */
  readonly moved: (reader: string) => void;
}

interface Decided extends Built {
  /** Streams whose events still wait. */
  readonly waiting: ReadonlySet<string>;
}

interface Run {
  readonly events: readonly Recorded[];
  readonly to: number;
}

const isNotYet = (outcome: Outcome | NotYet): outcome is NotYet => !Array.isArray(outcome);

/**
 * Runs one reaction: turns runs of heard events into units whose checkpoint stands or falls with what they append. An event that
 * can't be decided yet, or fails, is held with its cause; later events of its stream join it, others go on.
 */
export class ReactionRunner {
  readonly reaction: Reaction;
  readonly readers: readonly Reader[];
  readonly #types = new Map<string, Map<string, EventType>>();
  readonly #running: Running;
  readonly #asking = new Mutex();
  readonly #logger: Logger;
  readonly #watched = new Set<string>();
  #askAgain = false;
  #askTimer: NodeJS.Timeout | undefined;
  #looks: NodeJS.Timeout | undefined;
  #laterTimer: NodeJS.Timeout | undefined;
  #asked = 0;
  #held = 0;
  #asksNow = false;
  #stopped = false;
  #holds = true;

  constructor(reaction: Reaction, running: Running, tails: (source: string) => Tail) {
    this.reaction = reaction;
    this.#running = running;
    this.#logger = running.logger.child({ reader: reaction.name });
    for (const type of reaction.on) {
      const types = this.#types.get(type.owner) ?? new Map<string, EventType>();
      types.set(type.type, type);
      this.#types.set(type.owner, types);
    }
    this.readers = [...this.#types.keys()].map(
      (source) =>
        new Reader({
          name: reaction.name,
          source,
          tail: tails(source),
          checkpoints: running.checkpoints,
          logger: this.#logger,
          batch: RUN,
          together: false,
          hears: (event) => this.#types.get(source)!.has(event.type),
          take: (events, [move]) => this.#take(source, events, move!),
          save: async (moves) => (await running.writerOf(running.own).append({ moves })).refused === null,
          moved: () => running.moved(reaction.name),
        }),
    );
  }

  async start(): Promise<void> {
    for (const reader of this.readers) await reader.start();
    this.#look();
    this.#looks = setInterval(() => this.#look(), LOOK_MS);
    this.#looks.unref();
  }

  #look(): void {
    this.#holds = true;
    this.ask();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#askTimer);
    clearTimeout(this.#laterTimer);
    clearInterval(this.#looks);
    await Promise.all(this.readers.map((reader) => reader.stop()));
    await this.#asking.run(async () => undefined);
  }

  /** Whether a decision of this reaction has read the progress of that reader. */
  watches(reader: string): boolean {
    return this.#watched.has(reader);
  }

  /** Decides a run of events of one partition and appends it; again in halves when it was refused. False: the checkpoint stood elsewhere. */
  async #take(source: string, events: readonly Recorded[], move: Move): Promise<boolean> {
    const runs: Run[] = [{ events, to: move.to }];
    let at = move.from;
    let losses = 0;
    while (runs.length > 0) {
      const run = runs.shift()!;
      const asked = this.#asked;
      const streams = [...new Set(run.events.map(({ stream }) => stream))];
      const joined = await this.#running.checkpoints.heldStreams(this.reaction.name, source, streams);
      const decided = await this.#decide(source, run.events, joined, null, losses > MOST_LOSSES);
      const because =
        decided === "cut"
          ? "version"
          : await this.#append(decided, [{ ...move, from: at, to: run.to }], asked);
      if (because === "checkpoint") return false;
      if (because === null) {
        at = run.to;
        losses = 0;
      } else if (run.events.length > 1) runs.unshift(...halvesOf(run));
      else {
        losses++;
        runs.unshift(run);
      }
    }
    return true;
  }

  /** `asked`: how often held events had been asked for when these were read; what moved since may be what they wait for. */
  async #append(decided: Decided, moves: readonly Move[], asked: number): Promise<string | null> {
    const { sources, writerOf, own, moved } = this.#running;
    const verdict = await writerOf(decided.owner ?? own).append({ ...decided.unit, moves });
    if (verdict.refused !== null) {
      forget(sources.streams, decided);
      return verdict.refused;
    }
    advance(sources.streams, decided, verdict);
    if (decided.unit.hold?.length) {
      this.#holds = true;
      this.#held++;
      if (decided.unit.hold.some(({ kind }) => kind === "failed")) this.#askLater();
      if (asked !== this.#asked) this.ask();
    }
    moved(this.reaction.name);
    return null;
  }

  /** Decides events in order. `asked` are held ones asked again: those that go on are taken off the table. */
  async #decide(
    source: string,
    events: readonly Recorded[],
    joined: ReadonlySet<string>,
    asked: ReadonlyMap<Recorded, HeldRow> | null,
    hopeless = false,
  ): Promise<Decided | "cut"> {
    const { clock, random, sources, own } = this.#running;
    const reading = new Reading();
    const waiting = new Set(joined);
    const hold: Hold[] = [];
    const release: HeldKey[] = [];
    const keyOf = (event: Recorded): HeldKey => ({
      reader: this.reaction.name,
      source,
      stream: event.stream,
      sequence: event.sequence,
    });
    const wait = (event: Recorded, kind: Hold["kind"], cause: string): void => {
      waiting.add(event.stream);
      const before = asked?.get(event);
      const attempts = kind === "failed" ? (before?.attempts ?? 0) + 1 : 0;
      if (before?.kind === kind && before.cause === cause && kind === "not-yet") return;
      const seconds =
        kind === "failed" ? BACKOFF_SECONDS[Math.min(attempts, BACKOFF_SECONDS.length) - 1]! : 0;
      hold.push({
        ...keyOf(event),
        partition: event.partition,
        event,
        tenant: tenantOf(event),
        kind,
        cause,
        attempts,
        wait: seconds,
      });
    };
    const behindHeld = new Set<string>();
    const behind = (event: Recorded): boolean => {
      if (!waiting.has(event.stream)) return false;
      if (joined.has(event.stream)) behindHeld.add(event.stream);
      if (!asked) wait(event, "not-yet", "waits behind an earlier event of its stream");
      return true;
    };
    const failed = (event: Recorded, error: unknown): void => {
      const cause = error instanceof Error ? error.message : String(error);
      this.#logger.error(
        { stream: event.stream, sequence: event.sequence, error: cause },
        "an event failed; it is held",
      );
      wait(event, "failed", cause);
    };

    const heard: { event: Recorded; told: never; refs: Ref[] }[] = [];
    const broken = new Map<Recorded, unknown>();
    for (const event of events) {
      try {
        const told = heardFrom(source, event, this.#types.get(source)!.get(event.type)!) as never;
        heard.push({ event, told, refs: refsOf(this.reaction.reads(told)) });
      } catch (error) {
        broken.set(event, error);
        heard.push({ event, told: null as never, refs: [] });
      }
    }
    await this.#read(
      heard.flatMap(({ refs }) => refs),
      reading,
    );
    for (const { event, told, refs } of heard) {
      if (broken.has(event)) continue;
      try {
        refs.push(...refsOf(this.reaction.andThen(told, reading.values(this.reaction.reads(told)) as never)));
      } catch (error) {
        broken.set(event, error);
      }
    }
    await this.#read(
      heard.flatMap(({ refs }) => refs),
      reading,
    );
    const heads = reading.progress.size > 0 ? await sources.heads() : [];

    const builder = new UnitBuilder(reading, clock, random);
    for (const { event, told, refs } of heard) {
      if (behind(event)) continue;
      if (hopeless) broken.set(event, new Error(`lost ${MOST_LOSSES} races in a row`));
      if (broken.has(event)) {
        failed(event, broken.get(event));
        continue;
      }
      try {
        const first = reading.values(this.reaction.reads(told));
        const second = reading.values(this.reaction.andThen(told, first as never));
        const outcome = this.reaction.decide(
          told,
          { ...first, ...second } as never,
          deciding(clock, random, null, heads),
        );
        if (isNotYet(outcome)) {
          wait(event, "not-yet", outcome.cause);
          continue;
        }
        builder.guard(refs);
        builder.add(outcome as Outcome<never>, null, {
          actor: `${own}.${this.reaction.name}`,
          correlationid: event.meta.correlationid,
          causationid: event.id,
        } satisfies Cause);
        if (asked) release.push(keyOf(event));
      } catch (error) {
        if (error instanceof TakenInBatch && events.length > 1) return "cut";
        failed(event, error);
      }
    }
    const behindKeys = [...behindHeld].map((stream) => ({ reader: this.reaction.name, source, stream }));
    try {
      return { ...builder.build({ hold, release, behind: asked ? [] : behindKeys }), waiting };
    } catch (error) {
      if (heard.length > 1) return "cut";
      failed(heard[0]!.event, error);
      return { ...new UnitBuilder(reading, clock, random).build({ hold }), waiting };
    }
  }

  /** Whose progress is read is watched from before the reading, so that no move in between goes unnoticed. */
  async #read(refs: readonly Ref[], into: Reading): Promise<void> {
    for (const ref of refs) if (ref.kind === "progress") this.#watched.add(ref.reader);
    await readAll(this.#running.sources, refs, into);
  }

  /** Asks held events again, soon: facts or the progress of a reader have moved. Coalesced. */
  ask(): void {
    this.#asked++;
    if (this.#stopped || !this.#holds) return;
    this.#askAgain = true;
    this.#askTimer ??= setTimeout(() => {
      void this.#asking
        .run(async () => {
          this.#asksNow = true;
          this.#askTimer = undefined;
          try {
            while (this.#askAgain && !this.#stopped) {
              this.#askAgain = false;
              await this.#askHeld();
            }
          } finally {
            this.#asksNow = false;
          }
        })
        .catch((error: Error) => {
          this.#logger.warn({ error: error.message }, "held events could not be asked again; trying later");
          this.#askLater();
        });
    }, 10);
  }

  #askLater(): void {
    if (this.#laterTimer) return;
    this.#laterTimer = setTimeout(() => {
      this.#laterTimer = undefined;
      this.ask();
    }, 1000);
    this.#laterTimer.unref();
  }

  async #askHeld(): Promise<void> {
    let after: HeldRow | null = null;
    let failing = false;
    const blocked = new Set<string>();
    const held = this.#held;
    do {
      const rows: HeldRow[] = await this.#running.checkpoints.held(
        this.reaction.name,
        null,
        HELD_PAGE,
        after,
      );
      if (!after && rows.length === 0 && held === this.#held) this.#holds = false;
      after = rows.length === HELD_PAGE ? rows.at(-1)! : null;
      for (const source of new Set(rows.map((row) => row.source))) {
        const ready: HeldRow[] = [];
        for (const row of rows.filter((one) => one.source === source)) {
          if (row.kind === "failed") failing = true;
          if (row.kind === "failed" && !row.ripe) blocked.add(`${source}/${row.stream}`);
          if (!blocked.has(`${source}/${row.stream}`)) ready.push(row);
        }
        for (let at = 0; at < ready.length; at += RUN)
          await this.#askGroup(source, ready.slice(at, at + RUN), blocked);
      }
    } while (after && !this.#stopped);
    if (failing) this.#askLater();
  }

  async #askGroup(source: string, rows: readonly HeldRow[], blocked: Set<string>): Promise<void> {
    if (!this.#types.has(source))
      throw new Error(
        `${this.reaction.name} holds events of ${source}, which it doesn't hear any more: release or discard them`,
      );
    const groups: (readonly HeldRow[])[] = [rows];
    while (groups.length > 0) {
      const group = groups.shift()!.filter(({ stream }) => !blocked.has(`${source}/${stream}`));
      const askedBefore = this.#asked;
      const asked = new Map(group.map((row) => [row.event, row]));
      const decided = await this.#decide(source, [...asked.keys()], new Set(), asked);
      const idle = decided !== "cut" && !decided.unit.release?.length && !decided.unit.hold?.length;
      const because =
        decided === "cut" ? "version" : idle ? null : await this.#append(decided, [], askedBefore);
      if (because === null && decided !== "cut") {
        for (const stream of decided.waiting) blocked.add(`${source}/${stream}`);
        if (decided.unit.release?.length) this.#askAgain = true;
      } else if (because === "released") this.#askAgain = true;
      else {
        const middle = Math.ceil(group.length / 2);
        groups.unshift(...(group.length > 1 ? [group.slice(0, middle), group.slice(middle)] : [group]));
      }
    }
  }

  /** What this reaction waits for, in words; nothing when it is at its heads and holds only what is parked. */
  async waiting(heads: ReadonlyMap<string, readonly number[]>): Promise<string[]> {
    const behind = this.readers.filter((reader) => !reached(reader.position, heads.get(reader.source) ?? []));
    if (behind.length > 0) return behind.map(({ source }) => `${this.reaction.name} is behind ${source}`);
    if (!this.#holds) return [];
    if (this.#askAgain || this.#askTimer || this.#asksNow)
      return [`${this.reaction.name} asks held events again`];
    const rows = await this.#running.checkpoints.held(this.reaction.name, null, HELD_PAGE);
    const retried = rows.some(({ kind, attempts }) => kind === "failed" && attempts < PARKED_AFTER);
    return retried ? [`${this.reaction.name} retries a failed event`] : [];
  }
}

function halvesOf({ events, to }: Run): Run[] {
  const first = events.slice(0, Math.ceil(events.length / 2));
  return [
    { events: first, to: first.at(-1)!.sequence },
    { events: events.slice(first.length), to },
  ];
}
