import type { Caller } from "./caller.ts";
import type { Deciding, Outcome, Reads, Refs } from "./decision.ts";
import {
  advance,
  type Cause,
  deciding,
  forget,
  Reading,
  readAll,
  refsOf,
  type Sources,
  UnitBuilder,
} from "./decisions.ts";
import type { Clock } from "./ports/clock.ts";
import type { Random } from "./ports/random.ts";
import type { JobRun } from "./store/unit.ts";
import type { Writer } from "./store/writer.ts";
import type { Turns } from "./turns.ts";

const TRIES = 20;

/** A job whose lease was lost tried to write: another run has taken over, and this one must end. */
export class LeaseLost extends Error {
  constructor({ name, key, run }: JobRun) {
    super(`run ${run} of ${name} ${key} has lost its lease`);
    this.name = "LeaseLost";
  }
}

/** What acting outside of a command needs of its service. */
export interface ActingFrame {
  readonly sources: Sources;
  readonly writerOf: (owner: string) => Writer;
  readonly own: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly turns: Turns;
}

/** Where an append ended, per log: highest sequence by partition. */
export type Positions = Map<string, Map<number, number>>;

/** Remembers where a unit's events lie, for the caller's next request. */
export function note(
  positions: Positions,
  log: string,
  places: readonly { partition: number; first: number; count: number }[],
): void {
  const known = positions.get(log) ?? new Map<number, number>();
  for (const { partition, first, count } of places)
    known.set(partition, Math.max(known.get(partition) ?? 0, first + count));
  positions.set(log, known);
}

/** Reads, decides and appends in one unit; again, with everything read anew, when it lost a race. */
export async function act<F extends Refs>(
  frame: ActingFrame,
  refs: F,
  decide: (reads: Reads<F>, deciding: Deciding) => Outcome,
  {
    cause,
    caller,
    run,
    positions,
  }: { cause: Cause; caller: Caller | null; run?: JobRun | undefined; positions: Positions },
): Promise<{ reads: Reads<F> }> {
  const wanted = refsOf(refs);
  const contested = wanted.find((ref) => ref.kind === "stream")?.id;
  const turn: Turn = { give: null };
  try {
    return await tryToAct(frame, refs, decide, { cause, caller, run, positions }, async () => {
      if (contested) turn.give ??= await frame.turns.take(contested);
    });
  } finally {
    turn.give?.();
  }
}

/** A turn taken after a race was lost, to be given on when all is done. */
export interface Turn {
  give: (() => void) | null;
}

async function tryToAct<F extends Refs>(
  frame: ActingFrame,
  refs: F,
  decide: (reads: Reads<F>, deciding: Deciding) => Outcome,
  {
    cause,
    caller,
    run,
    positions,
  }: { cause: Cause; caller: Caller | null; run?: JobRun | undefined; positions: Positions },
  lost: () => Promise<void>,
): Promise<{ reads: Reads<F> }> {
  const { sources, writerOf, own, clock, random } = frame;
  const wanted = refsOf(refs);
  for (let tries = 1; ; tries++) {
    const reading = await readAll(sources, wanted, new Reading(), tries === 1);
    const heads = wanted.some(({ kind }) => kind === "progress") ? await sources.heads() : [];
    const reads = reading.values(refs) as Reads<F>;
    const builder = new UnitBuilder(reading, clock, random);
    builder.guard(wanted);
    const believed = tries === 1 && wanted.some(({ kind }) => kind === "stream");
    try {
      builder.add(decide(reads, deciding(clock, random, caller, heads)), null, cause);
    } catch (error) {
      if (believed) continue;
      throw error;
    }
    if (builder.empty && believed) continue;
    if (builder.empty) return { reads };
    const built = builder.build(run ? { run } : {});
    const log = built.owner ?? own;
    const verdict = await writerOf(log).append(built.unit);
    if (verdict.refused === null) {
      advance(sources.streams, built, verdict);
      note(positions, log, verdict.appended);
      return { reads };
    }
    forget(sources.streams, built);
    if (verdict.refused === "run") throw new LeaseLost(run!);
    if (tries === TRIES) throw new Error(`lost ${TRIES} races in a row (${verdict.refused})`);
    await lost();
  }
}
