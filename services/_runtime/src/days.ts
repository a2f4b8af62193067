import { addDays, type Day, dayAt, MARKETPLACE_ZONE } from "@tributary/contracts/dates";
import type { EventType, NewEvent } from "@tributary/contracts/event";
import type { z } from "zod";
import type { Acting } from "./acting.ts";
import { type Job, job } from "./job.ts";
import { tryLater } from "./refusal.ts";
import { PARTITIONS, partitionOf } from "./store/partition.ts";
import { type Stream, type StreamRef, stream, when } from "./stream.ts";

/** The latest day begun in a partition; null before the first. */
export interface DayState {
  readonly date: Day | null;
}

type DayEvent = EventType<"DayBegan", z.ZodObject<{ date: z.ZodType<Day> }>>;

/** The days of one log: what begins them, and the guard for decisions that depend on the day. */
export interface Days {
  readonly stream: Stream<DayState, NewEvent<"DayBegan", { date: Day }>>;
  /** The day stream in the partition of another stream: read it, and nothing decided on a day can follow the next one's beginning. */
  guard(ref: { readonly id: string }): StreamRef<DayState, NewEvent<"DayBegan", { date: Day }>>;
  /** Begins what is missing up to the present day, in every partition. A new log begins with the present day. */
  begin(acting: Acting): Promise<void>;
  /** Begins each day at the marketplace's midnight. */
  readonly job: Job;
}

const salts: readonly string[] = (() => {
  const found = new Array<string | undefined>(PARTITIONS);
  for (let salt = 0; found.includes(undefined); salt++) found[partitionOf(`day/${salt}`)] ??= String(salt);
  return found as string[];
})();

/** The day on which a decision is made: the one begun in its partition. 503 when the present day hasn't begun there yet. */
export function presentDay({ date }: DayState, today: Day): Day {
  if (date === null || date < today)
    throw tryLater("day_not_begun", "The day is just beginning. Try again in a moment.", 2);
  return date;
}

/** Declares the days of a service's log. Put `job` into its jobs and `begin` into what happens before serving. */
export function daysOf(event: DayEvent): Days {
  const days = stream("day", { date: null } as DayState, [
    when(event, (_, { data }) => ({ date: data.date })),
  ]);
  const begin = async (acting: Acting): Promise<void> => {
    const refs = Object.fromEntries(salts.map((salt) => [salt, days.at(salt)]));
    await acting.act(refs, (states, { now }) => {
      const today = dayAt(now);
      return salts.flatMap((salt) => {
        const last = states[salt]!.date;
        const missing: Day[] = [];
        for (let day = last === null ? today : addDays(last, 1); day <= today; day = addDays(day, 1))
          missing.push(day);
        if (missing.length === 0) return [];
        return [
          {
            kind: "addressed" as const,
            stream: days.at(salt).id,
            expect: "read" as const,
            events: missing.map((date) => event({ date })),
          },
        ];
      });
    });
  };
  return {
    stream: days,
    guard: ({ id }) => days.at(salts[partitionOf(id)]!),
    begin,
    job: job("begin-day", {
      cron: { rule: "0 0 * * *", zone: MARKETPLACE_ZONE },
      run: async (running) => {
        await begin(running);
        return undefined;
      },
    }),
  };
}
