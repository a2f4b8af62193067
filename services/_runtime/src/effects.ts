import type { EventType, NewEvent } from "@tributary/contracts/event";
import { type ActingFrame, LeaseLost } from "./act.ts";
import type { Acting } from "./acting.ts";
import { type Outcome, schedule } from "./decision.ts";
import { advance, forget, Reading, readAll, UnitBuilder } from "./decisions.ts";
import type { Effect, Later } from "./effect.ts";
import type { Runnable } from "./jobs/job-runner.ts";
import type { Claimed } from "./jobs/job-table.ts";
import { heardFrom } from "./log/heard.ts";
import type { Recorded } from "./log/log.ts";
import { type Reaction, reaction } from "./reaction.ts";
import type { StreamRef } from "./stream.ts";

const LOOK_FIRST_AFTER_MS = 23 * 3_600_000;

const isLater = (result: Outcome<NewEvent> | Later): result is Later => !Array.isArray(result);

/** How an effect hears: a reaction that puts a job on the table in the unit of its checkpoint. */
export function effectAsReaction(effect: Effect): Reaction {
  return reaction(effect.name, {
    on: [effect.on] as readonly EventType[],
    decide: (event) => {
      const { data: _decoded, ...envelope } = event;
      const recorded = { ...envelope, json: (effect.on as EventType)(event.data as never).json };
      return [
        schedule(
          effect,
          `${event.stream}@${event.version}`,
          effect.due(event as never) ?? event.time,
          recorded,
        ),
      ];
    },
  });
}

/** How an effect acts: folds its stream, calls, and appends what came of it if the stream hasn't moved and the lease still holds. */
export function effectAsJob(
  effect: Effect,
  own: string,
  frame: ActingFrame,
  actingFor: (claimed: Claimed) => Acting,
): Runnable {
  return {
    name: effect.name,
    cron: null,
    run: async (claimed) => {
      const { json, actor, correlationid, causationid, ...place } = claimed.payload as Record<
        string,
        never
      > & { json: unknown; actor: string | null; correlationid: string; causationid: string | null };
      const event: Recorded = {
        ...(place as unknown as Omit<Recorded, "data" | "meta">),
        data: json,
        meta: { correlationid, ...(actor ? { actor } : {}), ...(causationid ? { causationid } : {}) },
      };
      const heard = heardFrom(effect.on.owner, event, effect.on) as never;
      const ref = effect.stream(heard) as StreamRef<unknown, unknown>;
      const reading = await readAll(frame.sources, [ref], new Reading());
      const old = Date.parse(frame.clock.now()) - Date.parse(event.time) > LOOK_FIRST_AFTER_MS;
      const calling = { ...actingFor(claimed), run: claimed.run, lookFirst: claimed.run > 1 || old };
      const result = await effect.call(heard, reading.value(ref) as never, calling);
      if (isLater(result)) return { again: result.due };
      if (result.length === 0) return undefined;
      const builder = new UnitBuilder(reading, frame.clock, frame.random);
      builder.guard([ref]);
      builder.add(result, ref, { actor: `${own}.${effect.name}`, correlationid, causationid: event.id });
      const built = builder.build({ run: claimed });
      const verdict = await frame.writerOf(built.owner ?? own).append(built.unit);
      if (verdict.refused === null) {
        advance(frame.sources.streams, built, verdict);
        return undefined;
      }
      forget(frame.sources.streams, built);
      if (verdict.refused === "run") throw new LeaseLost(claimed);
      throw new Error(`${ref.id} moved while ${effect.name} was calling; it looks at the partner again`);
    },
  };
}
