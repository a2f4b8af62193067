import { createHash } from "node:crypto";
import type { NewEvent } from "@tributary/contracts/event";
import type pg from "pg";
import { type ActingFrame, note, type Positions, type Turn } from "./act.ts";
import { type Caller, ownedBy } from "./caller.ts";
import { canonical } from "./canonical.ts";
import type { Command } from "./command.ts";
import { advance, deciding, forget, Reading, readAll, refsOf, UnitBuilder } from "./decisions.ts";
import { type Kept, keptAnswer } from "./kept-answers.ts";
import { conflict, notFound, Refusal } from "./refusal.ts";
import type { KeptAnswer } from "./store/unit.ts";
import type { StreamRef } from "./stream.ts";

const TRIES = 20;

/** What a command is asked with. */
export interface Asked {
  readonly input: Record<string, unknown>;
  readonly caller: Caller;
  readonly requestId: string;
  readonly idempotencyKey: string | null;
  readonly positions: Positions;
}

/** What it answers; `replayed` when the same key had been answered before. */
export interface Answered {
  readonly status: number;
  readonly body: unknown;
  readonly replayed: boolean;
}

function replay(kept: Kept, hash: string, log: string, positions: Positions): Answered {
  if (kept.body_hash !== hash)
    throw conflict("idempotency_key_reused", "This idempotency key was used for something else");
  const places = (kept.position ?? "")
    .split(",")
    .filter(Boolean)
    .map((place) => place.split(":").map(Number) as [number, number]);
  note(
    positions,
    log,
    places.map(([partition, sequence]) => ({ partition, first: sequence, count: 0 })),
  );
  return { status: kept.status, body: kept.answer, replayed: true };
}

/**
 * Runs one command: reads, checks ownership, decides, appends, again when it lost a race. What this process believes to know of
 * its streams is tried first; a refusal on such belief is decided once more on what the engine says.
 */
export async function runCommand(
  frame: ActingFrame,
  pool: pg.Pool,
  command: Command,
  asked: Asked,
): Promise<Answered> {
  const turn: Turn = { give: null };
  try {
    return await tryCommand(frame, pool, command, asked, async (contested) => {
      turn.give ??= await frame.turns.take(contested);
    });
  } finally {
    turn.give?.();
  }
}

async function tryCommand(
  frame: ActingFrame,
  pool: pg.Pool,
  command: Command,
  asked: Asked,
  lost: (contested: string) => Promise<void>,
): Promise<Answered> {
  const { sources, writerOf, own, clock, random } = frame;
  const { caller, idempotencyKey, positions } = asked;
  const input = asked.input as never;
  const hash = idempotencyKey
    ? createHash("sha256")
        .update(canonical({ route: command.route, input: asked.input }))
        .digest("hex")
    : "";
  if (idempotencyKey) {
    const kept = await keptAnswer(pool, caller.uid, idempotencyKey);
    if (kept) return replay(kept, hash, own, positions);
  }
  for (let tries = 1; ; tries++) {
    const key = command.id(input, caller, random);
    const ref = command.stream.at(key) as unknown as StreamRef<unknown, unknown>;
    const reading = await readAll(sources, [ref], new Reading(), tries === 1);
    const before = reading.states.get(ref.id)!.state as never;
    try {
      if (command.access.owns) {
        const owner = command.access.owns(input, before, caller);
        if (!ownedBy(owner, caller)) throw notFound("This");
      }
      const names = command.reads(input, caller, before);
      await readAll(sources, refsOf(names), reading, tries === 1);
      const first = reading.values(names);
      const more = command.andThen(input, caller, before, first as never);
      await readAll(sources, refsOf(more), reading, tries === 1);
      const reads = { ...first, ...reading.values(more) } as never;
      const wanted = [ref, ...refsOf(names), ...refsOf(more)];

      const builder = new UnitBuilder(reading, clock, random);
      builder.guard(wanted);
      const outcome = command.decide(input, before, reads, deciding(clock, random, caller, [], key));
      builder.add(outcome as readonly NewEvent[], ref, {
        actor: caller.user_id ?? caller.uid,
        correlationid: asked.requestId,
        causationid: null,
      });
      const body = command.reply(reading.states.get(ref.id)!.state as never, input, reads);
      if (builder.empty) {
        if (tries === 1) throw new Believed();
        return { status: command.status, body, replayed: false };
      }
      const answer: KeptAnswer | null = idempotencyKey
        ? {
            caller: caller.uid,
            key: idempotencyKey,
            body_hash: hash,
            status: command.status,
            answer: body ?? null,
          }
        : null;
      const built = builder.build(answer ? { answer } : {});
      const log = built.owner ?? own;
      const verdict = await writerOf(log).append(built.unit);
      if (verdict.refused === null) {
        advance(sources.streams, built, verdict);
        note(positions, log, verdict.appended);
        return { status: command.status, body, replayed: false };
      }
      forget(sources.streams, built);
      if (verdict.refused === "answered")
        return replay((await keptAnswer(pool, caller.uid, idempotencyKey!))!, hash, log, positions);
      await lost(ref.id);
    } catch (error) {
      if (idempotencyKey && error instanceof Refusal) {
        const kept = await keptAnswer(pool, caller.uid, idempotencyKey);
        if (kept) return replay(kept, hash, own, positions);
      }
      const uncertain = tries === 1 && (error instanceof Refusal || error instanceof Believed);
      if (!uncertain) throw error;
    }
    if (tries === TRIES) throw new Error(`${command.route} lost ${TRIES} races in a row`);
  }
}

/** Nothing to record, by what this process believes; to be decided once more on what the engine says. */
class Believed extends Error {}
