import type { Heard, NewEvent } from "@tributary/contracts/event";
import { canonical } from "@tributary/runtime/canonical";
import type { ReadModel } from "@tributary/runtime/read-models/read-model";
import fc from "fast-check";
import { expect } from "vitest";
import { z } from "zod";

/** What was said on one stream, in order. */
export type Told = readonly [stream: string, ...events: NewEvent[]];

/** The documents after hearing the events, as bytes; each event is written and read as it would be on its way. */
function documentsAfter<T>(model: ReadModel<T>, heard: readonly Heard[]): string {
  const documents = new Map<string, T>();
  for (const event of heard) {
    const when = model.on.find(({ event: { type, owner } }) => type === event.type && owner === event.source);
    if (!when) continue;
    const told = { ...event, data: when.event.decode(event.data) };
    for (const key of [model.key(told) ?? []].flat()) {
      const next = when.fold(documents.get(key) ?? null, told as never);
      if (next === null) documents.delete(key);
      else documents.set(key, next);
    }
  }
  const stored = [...documents].map(([id, document]) => [id, z.encode(model.schema, document as never)]);
  return canonical(Object.fromEntries(stored));
}

/** Folds the streams in 50 orders that keep only the order inside each; the documents must be the same to the byte. */
export function expectSameInEveryOrder<T>(model: ReadModel<T>, streams: readonly Told[]): void {
  const heard = streams.map(([stream, ...events]) =>
    events.map(
      ({ type, owner, json }, index): Heard => ({
        type,
        source: owner,
        data: JSON.parse(JSON.stringify(json)),
        id: `${stream}#${index}`,
        stream,
        version: index + 1,
        partition: 0,
        sequence: index + 1,
        time: `2026-01-01T00:00:00.${String(index).padStart(3, "0")}Z`,
        actor: null,
        correlationid: "told",
        causationid: null,
      }),
    ),
  );
  const expected = documentsAfter(model, heard.flat());
  expect(expected).not.toBe("{}");
  const total = heard.flat().length;
  fc.assert(
    fc.property(fc.array(fc.nat(), { minLength: total, maxLength: total }), (turns) => {
      const waiting = heard.map((events) => [...events]);
      const order = turns.map((turn) => {
        const open = waiting.filter((events) => events.length > 0);
        return open[turn % open.length]!.shift()!;
      });
      expect(documentsAfter(model, order)).toBe(expected);
    }),
    { numRuns: 50 },
  );
}
