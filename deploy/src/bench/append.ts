import { attribution } from "@tributary/attribution/main";
import { realClock } from "@tributary/runtime/ports/clock";
import { Writer } from "@tributary/runtime/store/writer";
import { type Ground, onGround } from "./ground.ts";
import { RawEvents } from "./raw-events.ts";
import { compare, type Side } from "./rounds.ts";
import { click } from "./stored.ts";
import { atLeast, type Figure, figureOf } from "./table.ts";

const STREAMS = 100;
const EVENTS_OF_EACH = 10;
const IN_FLIGHT = 64;

/** Durable appends, each with the version its decision saw, beside inserts of the same rows that check nothing. */
export const appendFigures = (): Promise<Figure[]> => onGround(measured);

async function measured(ground: Ground): Promise<Figure[]> {
  await ground.migrated(attribution);
  const pool = ground.pool(attribution.name);
  const writer = new Writer(pool, "clicks", realClock, () => undefined);
  const raw = await RawEvents.create(ground, attribution.name, "clicks", pool);
  const versions = new Map<string, number>();

  const append = async (streams: readonly string[], each: number): Promise<void> => {
    const { refused } = await writer.append({
      append: streams.map((stream) => ({
        stream,
        expect: versions.get(stream) ?? 0,
        events: Array.from({ length: each }, () => click(stream)),
      })),
    });
    if (refused) throw new Error(`an append that nobody competes with was refused: ${refused}`);
    for (const stream of streams) versions.set(stream, (versions.get(stream) ?? 0) + each);
  };

  const batch = Array.from({ length: STREAMS }, (_, index) => `clicks/batch${index}`);
  const batches = await compare({
    ours: whileTime(async () => {
      await append(batch, EVENTS_OF_EACH);
      return STREAMS * EVENTS_OF_EACH;
    }),
    peer: whileTime(async () => {
      const rows = batch.flatMap((stream) =>
        Array.from({ length: EVENTS_OF_EACH }, () => ({ stream, event: click(stream) })),
      );
      await raw.insertAll(rows);
      return rows.length;
    }),
  });
  const singles = await compare({
    ours: inFlight((stream) => append([stream], 1)),
    peer: inFlight((stream) => raw.insert({ stream, event: click(stream) })),
  });
  await pool.end();
  return [
    figureOf(
      {
        id: "append-batch",
        name: "durable append, 1000 events at a time",
        unit: "events/s",
        peer: "multi-row insert",
        goal: atLeast(0.6),
        aim: atLeast(0.9),
      },
      batches,
    ),
    figureOf(
      {
        id: "append-single",
        name: `durable append, one event, ${IN_FLIGHT} in flight`,
        unit: "events/s",
        peer: "single inserts",
        goal: atLeast(3),
      },
      singles,
    ),
  ];
}

const whileTime =
  (act: () => Promise<number>): Side =>
  async (until) => {
    let done = 0;
    while (performance.now() < until) done += await act();
    return done;
  };

const inFlight =
  (act: (stream: string) => Promise<void>): Side =>
  async (until) => {
    const each = Array.from({ length: IN_FLIGHT }, (_, index) =>
      whileTime(async () => {
        await act(`clicks/single${index}`);
        return 1;
      })(until),
    );
    return (await Promise.all(each)).reduce((sum, done) => sum + done, 0);
  };
