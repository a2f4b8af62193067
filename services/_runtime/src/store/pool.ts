import pg from "pg";
import type { Logger } from "../logs.ts";

const INT8 = 20;
const TIMESTAMPTZ = 1184;

/** "2026-01-05 18:00:00.5+00" as ISO 8601 with its milliseconds, the one form in which an instant is ever written. */
function isoOf(text: string): string {
  const [day, time = ""] = text.split(" ");
  const [seconds, fraction = ""] = time.replace(/\+00$/, "").split(".");
  return `${day}T${seconds}.${fraction.padEnd(3, "0").slice(0, 3)}Z`;
}

/** Sequences fit a JavaScript number; instants stay text (ISO 8601, UTC), for nobody computes with a Date here. */
const parsers: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: "text" | "binary") => {
    if (oid === INT8) return Number;
    if (oid === TIMESTAMPTZ) return isoOf;
    return pg.types.getTypeParser(oid, format as "text");
  },
} as pg.CustomTypesConfig;

/** What a pool is opened with. */
export interface PoolOptions {
  readonly max: number;
  readonly log: Logger;
  /** Session settings, e.g. `-c synchronous_commit=off`. */
  readonly settings?: string;
  /** Called when an idle connection breaks: the engine may have restarted and forgotten what it had not yet written. */
  readonly onBroken?: () => void;
}

/** Opens a pool whose sessions speak UTC and survive a broken idle connection. */
export function openPool(url: string, { max, log, settings = "", onBroken }: PoolOptions): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    types: parsers,
    options: `-c timezone=UTC -c idle_in_transaction_session_timeout=60000 ${settings}`,
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 60_000,
  });
  pool.on("error", (error) => {
    // Closing a pool doesn't wait for its connections to hang up: an engine that stops right after ends the last ones.
    if (pool.ending) return;
    log.warn({ error: error.message }, "an idle database connection broke");
    onBroken?.();
  });
  return pool;
}

/** Whether an error says that the engine went away, rather than that it refused something. */
export function isConnectionError(error: unknown): boolean {
  const { code, message } = error as { code?: string; message?: string };
  if (code && /^(08|57P0|53300)/.test(code)) return true;
  if (code && /^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND)/.test(code)) return true;
  return /Connection terminated|connection timeout|timeout exceeded when trying to connect|Client has encountered a connection error|Cannot use a pool after/i.test(
    message ?? "",
  );
}
