import type pg from "pg";
import type { Logger } from "./logs.ts";

/** An answer given under an idempotency key; it is given again to whoever sends the same key with the same body, for 7 days. */
export interface Kept {
  readonly body_hash: string;
  readonly status: number;
  readonly answer: unknown;
  /** Where the act lies, as header text without the log's name. */
  readonly position: string | null;
}

/** What was answered to this caller under this key, if it is still kept. */
export async function keptAnswer(pool: pg.Pool, caller: string, key: string): Promise<Kept | undefined> {
  const { rows } = await pool.query<Kept>({
    name: "kept_answer",
    text: "select body_hash, status, answer, position from runtime.answers where caller = $1 and key = $2 and kept_until > clock_timestamp()",
    values: [caller, key],
  });
  return rows[0];
}

/** Forgets what was kept long enough; nobody waits for it, so a failure is only told. */
export async function forgetOldAnswers(pool: pg.Pool, logger: Logger): Promise<void> {
  try {
    await pool.query("delete from runtime.answers where kept_until <= clock_timestamp()");
  } catch (error) {
    logger.warn(
      { error: (error as Error).message },
      "old answers could not be forgotten; tried again in an hour",
    );
  }
}
