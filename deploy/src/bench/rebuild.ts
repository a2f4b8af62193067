import { attribution } from "@tributary/attribution/main";
import { metrics } from "@tributary/attribution/read-models/metrics";
import { PerfMetricIngested } from "@tributary/contracts/events/attribution";
import { asCents, storedCents } from "@tributary/contracts/money";
import { realClock } from "@tributary/runtime/ports/clock";
import { Folding } from "@tributary/runtime/read-models/fold";
import { PostgresDocumentStore } from "@tributary/runtime/read-models/postgres-store";
import { type ReadModel, readModel } from "@tributary/runtime/read-models/read-model";
import { rebuild } from "@tributary/runtime/read-models/rebuild";
import { Writer } from "@tributary/runtime/store/writer";
import { when } from "@tributary/runtime/stream";
import type pg from "pg";
import { z } from "zod";
import { type Ground, onGround } from "./ground.ts";
import { metric } from "./metrics.ts";
import { type Compared, compared, inTurns, type Side } from "./rounds.ts";
import { stored } from "./stored.ts";
import { atMost, type Figure } from "./table.ts";

const EVENTS = 200_000;
const METRICS = 50_000;
const PAGE = 2000;
const LOG = "attribution";

/** What every link sold, all days added up: few documents, each moved by thousands of events. */
const linkSales = readModel(
  "bench-link-sales",
  z.object({ link_id: z.string(), purchases: z.int(), sales: storedCents }),
  {
    on: [
      when(PerfMetricIngested, (document, { data }) => ({
        link_id: data.link_id,
        purchases: (document?.purchases ?? 0) + data.purchases_14d,
        sales: asCents((document?.sales ?? 0n) + data.attributed_sales_14d),
      })),
    ],
    key: ({ data }) => data.link_id,
  },
);

/** Builds of read models from the whole log, beside a scan of the same events that only parses their JSON. */
export const rebuildFigures = (): Promise<Figure[]> => onGround(measured);

async function measured(ground: Ground): Promise<Figure[]> {
  await ground.migrated(attribution);
  const pool = ground.pool(attribution.name);
  await fill(pool);
  await ground.asAdmin(attribution.name, `vacuum analyze ${LOG}.events`);
  const host = ground.host();
  const tail = await host.tails.start(LOG);
  const build =
    (model: ReadModel<never>): Side =>
    async () => {
      await pool.query("delete from runtime.read_models where name = $1", [model.name]);
      const folding = new Folding(model);
      await new PostgresDocumentStore(pool, model).build(() => rebuild(folding, [{ name: LOG, tail }]));
      return EVENTS;
    };
  const paces = await inTurns(
    {
      hot: build(linkSales as unknown as ReadModel<never>),
      cold: build(metrics as unknown as ReadModel<never>),
      scan: scan(pool),
    },
    { warm: false },
  );
  await host.tails.close();
  await pool.end();
  const figure = (id: string, keys: string, most: number, { ours, peer, ratio }: Compared): Figure => ({
    id,
    name: `rebuild from 200 000 events, ${keys}`,
    value: EVENTS / ours.per_second,
    unit: "s",
    cpu_us: ours.cpu_us,
    peer: { name: "scan that parses", value: EVENTS / peer.per_second, cpu_us: peer.cpu_us },
    ratio: 1 / ratio,
    goal: atMost(most),
  });
  return [
    figure("rebuild-hot", "100 documents", 2, compared(paces.hot, paces.scan)),
    figure("rebuild-cold", "50 000 documents", 3, compared(paces.cold, paces.scan)),
  ];
}

/** The retailer shows every metric four times: first, and restated three times. */
async function fill(pool: pg.Pool): Promise<void> {
  const writer = new Writer(pool, LOG, realClock, () => undefined);
  for (let revision = 1; revision <= EVENTS / METRICS; revision++) {
    for (let from = 0; from < METRICS; from += PAGE) {
      const page = Array.from({ length: PAGE }, (_, index) => metric(from + index, revision));
      const { refused } = await writer.append({
        append: page.map(({ stream, fact }) => ({ stream, expect: revision - 1, events: [stored(fact)] })),
      });
      if (refused) throw new Error(`the log could not be filled: ${refused}`);
    }
  }
}

/** Every event once, in the order of the primary key, page by page, its JSON parsed and nothing done with it. */
const scan =
  (pool: pg.Pool): Side =>
  async () => {
    let seen = 0;
    let partition = 0;
    let sequence = 0;
    for (;;) {
      const { rows } = await pool.query({
        name: "raw_scan",
        text: `select partition, sequence, stream, version, id, type, data, meta, recorded_at from ${LOG}.events
          where (partition, sequence) > ($1, $2) order by partition, sequence limit ${PAGE}`,
        values: [partition, sequence],
      });
      if (rows.length === 0) return seen;
      seen += rows.length;
      ({ partition, sequence } = rows.at(-1));
    }
  };
