import pg from "pg";
import type { Logger } from "../logs.ts";
import { PARTITIONS, type Vector, zero } from "../store/partition.ts";
import { openPool } from "../store/pool.ts";
import type { Log, Recorded } from "./log.ts";

/** The channel on which a log's writers tell their heads. */
export const channelOf = (log: string): string => `log_${log}`;

/** Heads as a notification's payload: "3:1042,5:17", only those that the writer knows. */
export const toldHeads = (heads: readonly number[]): string =>
  heads.flatMap((sequence, partition) => (sequence > 0 ? [`${partition}:${sequence}`] : [])).join(",");

function heardHeads(payload: string): Vector {
  const heads = zero();
  for (const part of payload.split(",")) {
    const [partition, sequence] = part.split(":").map(Number);
    if (partition !== undefined && sequence !== undefined && partition < PARTITIONS)
      heads[partition] = sequence;
  }
  return heads;
}

/** The log of a service on the same machine: its events table, read by a role that may do nothing else. */
export class PostgresLog implements Log {
  readonly #pool: pg.Pool;
  readonly #url: string;
  readonly #logger: Logger;

  constructor(
    readonly name: string,
    url: string,
    logger: Logger,
  ) {
    this.#url = url;
    this.#logger = logger;
    this.#pool = openPool(url, { max: 2, log: logger });
  }

  async heads(): Promise<Vector> {
    const { rows } = await this.#pool.query({
      name: `heads_${this.name}`,
      text: `select coalesce((select e.sequence from ${this.name}.events e where e.partition = p order by e.sequence desc limit 1), 0) as head
        from generate_series(0, ${PARTITIONS - 1}) p order by p`,
    });
    return rows.map(({ head }) => Number(head));
  }

  async read(after: readonly number[], limitPerPartition: number): Promise<Recorded[]> {
    const { rows } = await this.#pool.query<Recorded>({
      name: `read_${this.name}`,
      text: `select e.partition, e.sequence, e.stream, e.version, e.id, e.type, e.data, e.meta, e.recorded_at as time
        from unnest($1::int[], $2::bigint[]) a(partition, after)
        cross join lateral (select * from ${this.name}.events e where e.partition = a.partition and e.sequence > a.after order by e.sequence limit $3) e`,
      values: [[...after.keys()], after, limitPerPartition],
    });
    return rows;
  }

  async follow(onHeads: (heads: Vector) => void, onBroken: () => void): Promise<() => Promise<void>> {
    let stopped = false;
    let client: pg.Client | undefined;
    let retry: NodeJS.Timeout | undefined;
    const listen = async (): Promise<void> => {
      const own = new pg.Client({ connectionString: this.#url, connectionTimeoutMillis: 10_000 });
      client = own;
      let lost = false;
      const again = (error?: Error): void => {
        if (stopped || lost) return;
        lost = true;
        this.#logger.warn({ log: this.name, error: error?.message }, "listening broke; trying again");
        own
          .end()
          .catch((reason: Error) =>
            this.#logger.debug({ reason: reason.message }, "the broken listener closed badly"),
          );
        retry = setTimeout(() => {
          listen().then(
            () => onBroken(),
            (reason: Error) => this.#logger.warn({ error: reason.message }, "still not listening"),
          );
        }, 250);
      };
      own.on("error", again);
      own.on("end", () => again());
      own.on("notification", ({ payload }) => onHeads(heardHeads(payload ?? "")));
      try {
        await own.connect();
        await own.query(`listen ${channelOf(this.name)}`);
      } catch (error) {
        again(error as Error);
        throw error;
      }
    };
    await listen();
    return async () => {
      stopped = true;
      clearTimeout(retry);
      await client?.end();
    };
  }

  close(): Promise<void> {
    return this.#pool.end();
  }
}
