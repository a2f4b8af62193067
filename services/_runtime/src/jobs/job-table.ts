import type pg from "pg";
import type { JobRun } from "../store/unit.ts";

const LEASE_SECONDS = 60;
const BACKOFF_SECONDS = [1, 2, 4, 8, 15, 30, 60];

/** A job in hand: claimed, with a run number that fences everything it writes. */
export interface Claimed extends JobRun {
  readonly due: string;
  readonly payload: unknown;
  readonly puts: number;
  readonly attempts: number;
}

/** Jobs as rows: claimed in a short statement that sets a lease (real time) and a new run number. Due by business time. */
export class JobTable {
  constructor(readonly pool: pg.Pool) {}

  /** Claims what is due, oldest first, and free: nobody holds a lease on it, and a failed one has waited long enough. */
  async claim(names: readonly string[], now: string, limit: number): Promise<Claimed[]> {
    const { rows } = await this.pool.query<Claimed>({
      name: "claim_jobs",
      text: `update runtime.jobs j set run = run + 1, lease_until = clock_timestamp() + make_interval(secs => $4), attempts = attempts + 1
        where (name, key) in (
          select name, key from runtime.jobs where due <= $2::timestamptz and name = any($1::text[])
            and (lease_until is null or lease_until < clock_timestamp()) and (not_before is null or not_before <= clock_timestamp())
          order by due, name, key limit $3 for update skip locked)
        returning name, key, run, due, payload, puts, attempts`,
      values: [names, now, limit, LEASE_SECONDS],
    });
    return rows.sort((a, b) => (a.due === b.due ? 0 : a.due < b.due ? -1 : 1));
  }

  /** Lengthens the lease; false when another run has taken over. */
  async keep({ name, key, run }: JobRun): Promise<boolean> {
    const { rowCount } = await this.pool.query(
      "update runtime.jobs set lease_until = clock_timestamp() + make_interval(secs => $4) where name = $1 and key = $2 and run = $3",
      [name, key, run, LEASE_SECONDS],
    );
    return rowCount === 1;
  }

  /** Takes a finished job off the table, unless it was put there again meanwhile; then it only gives the lease back. */
  async finish({ name, key, run, puts }: Claimed): Promise<void> {
    await this.pool.query(
      `with gone as (delete from runtime.jobs where name = $1 and key = $2 and run = $3 and puts = $4 returning 1)
       update runtime.jobs set lease_until = null, attempts = 0 where name = $1 and key = $2 and run = $3 and puts <> $4`,
      [name, key, run, puts],
    );
  }

  /** Puts it back for a later moment of business time, unless it was put there anew meanwhile: then that moment stands. */
  async again({ name, key, run, puts }: Claimed, due: string): Promise<void> {
    await this.pool.query(
      `update runtime.jobs set due = case when puts = $5 then $4::timestamptz else due end,
         lease_until = null, attempts = 0, not_before = null, last_error = null where name = $1 and key = $2 and run = $3`,
      [name, key, run, due, puts],
    );
  }

  /** Gives a failed run back, to be tried again after a while of real time. */
  async failed({ name, key, run, attempts }: Claimed, cause: string): Promise<void> {
    const seconds = BACKOFF_SECONDS[Math.min(attempts, BACKOFF_SECONDS.length) - 1];
    await this.pool.query(
      `update runtime.jobs set lease_until = null, last_error = $4, not_before = clock_timestamp() + make_interval(secs => $5) where name = $1 and key = $2 and run = $3`,
      [name, key, run, cause, seconds],
    );
  }

  /** Makes sure that a job with a rule of its own stands on the table. */
  async ensure(name: string, due: string): Promise<void> {
    await this.pool.query(
      "insert into runtime.jobs (name, key, due) values ($1, '', $2) on conflict (name, key) do nothing",
      [name, due],
    );
  }

  /** What is due now and not yet done (with how often it failed), and the next due moment after now. */
  async outlook(
    names: readonly string[],
    now: string,
  ): Promise<{
    due: { name: string; key: string; attempts: number; last_error: string | null }[];
    next: string | null;
  }> {
    const { rows } = await this.pool.query({
      name: "jobs_outlook",
      text: `(select name, key, attempts, last_error, null::timestamptz as next from runtime.jobs where due <= $2::timestamptz and name = any($1::text[]) limit 50)
        union all (select null, null, null, null, min(due) from runtime.jobs where due > $2::timestamptz and name = any($1::text[]))`,
      values: [names, now],
    });
    return {
      due: rows.filter(({ name }) => name !== null),
      next: (rows.find(({ name }) => name === null)?.next as string | null) ?? null,
    };
  }
}
