import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { freePort, isFree } from "../state/free-port.ts";
import { withLock } from "../state/lock.ts";
import { isAlive } from "../state/process-identity.ts";
import { forgetState, readState, writeState } from "../state/state-file.ts";
import { type DataDir, dataDirAt } from "./data-dir.ts";
import {
  answers,
  launch,
  livingPostmaster,
  logSize,
  logTail,
  type Postmaster,
  superuserUrl,
} from "./postmaster.ts";

/** A PostgreSQL that answers. It outlives the process that asked for it unless `stop` is called. */
export type Postgres = {
  /** The superuser's address, password included: never to be logged. */
  url: string;
  port: number;
  pid: number;
  /** True when an earlier start had left it running. */
  adopted: boolean;
  /** Shuts it down in good order (open transactions are rolled back) and returns when it is gone. */
  stop(): Promise<void>;
};

/** What may be asked of a PostgreSQL: where its data stands, its port (else one that is free), and its name in files. */
export type PostgresOptions = { dataDir: string; name: string; port?: number; fsync?: boolean };

/**
 * PostgreSQL over this data directory: the one that already serves it, or a new one. Two starts at once get the same.
 * After a kill -9 it recovers with its data. Throws with the words of its log when it can't be brought to answer.
 */
export async function startPostgres(options: PostgresOptions): Promise<Postgres> {
  const home = dirname(options.dataDir);
  mkdirSync(home, { recursive: true });
  return await withLock(join(home, `${options.name}.lock`), async () => {
    const data = await dataDirAt(options.dataDir);
    const { adopted, ...postmaster } = await adoptOrLaunch(data, options);
    const stateFile = stateFileOf(options);
    writeState(stateFile, postmaster);
    return {
      url: superuserUrl(data.password, postmaster.port),
      port: postmaster.port,
      pid: postmaster.pid,
      adopted,
      stop: () => stop(postmaster, stateFile),
    };
  });
}

const DEADLINE_MS = 60_000;
const PORT_PATIENCE_MS = 2_000;
const stateFileOf = ({ dataDir, name }: PostgresOptions) => join(dirname(dataDir), `${name}.json`);

const isPostmaster = (state: unknown): state is Postmaster =>
  typeof state === "object" && state !== null && "pid" in state && "port" in state && "started" in state;

/** Right after a kill -9 the dead one's backends may still hold its shared memory, so a first start can fail. */
async function adoptOrLaunch(
  data: DataDir,
  options: PostgresOptions,
): Promise<Postmaster & { adopted: boolean }> {
  const logFile = join(dirname(options.dataDir), `${options.name}.log`);
  const deadline = performance.now() + DEADLINE_MS;
  for (;;) {
    const living = livingPostmaster(data);
    if (living && (await comesUp(data, living, deadline))) return { ...living, adopted: true };

    const port = await choosePort(options);
    const since = logSize(logFile);
    const identity = await launch(data, port, logFile, options.fsync ?? true);
    if (identity && (await comesUp(data, { ...identity, port }, deadline))) {
      return { ...identity, port, adopted: false };
    }
    const said = logTail(logFile, Math.min(since, logSize(logFile)));
    const passing = /still in use|lock file|could not bind|Address already in use/.test(said);
    if (!passing || performance.now() > deadline) throw new Error(`PostgreSQL did not start: ${said}`);
    await pause(200);
  }
}

/** It may be recovering, and then it is worth waiting; it may be on its way out, and then it never comes up. */
async function comesUp(data: DataDir, postmaster: Postmaster, deadline: number): Promise<boolean> {
  for (; isAlive(postmaster); await pause(20)) {
    if (await answers(data, postmaster.port)) return true;
    if (performance.now() > deadline)
      throw new Error(`PostgreSQL (pid ${postmaster.pid}) lives but does not answer`);
  }
  return false;
}

/**
 * The port of last time, when it can be had: addresses that someone holds stay true. A PostgreSQL that was just killed
 * holds its port for a moment longer.
 */
async function choosePort(options: PostgresOptions): Promise<number> {
  const wanted = options.port ?? readState(stateFileOf(options), isPostmaster)?.port;
  if (wanted === undefined) return await freePort();
  for (const deadline = performance.now() + PORT_PATIENCE_MS; performance.now() < deadline; await pause(20)) {
    if (await isFree(wanted)) return wanted;
  }
  if (options.port === undefined) return await freePort();
  throw new Error(`port ${wanted}, asked for PostgreSQL, is taken by another program`);
}

async function stop(postmaster: Postmaster, stateFile: string): Promise<void> {
  if (isAlive(postmaster)) process.kill(postmaster.pid, "SIGINT");
  for (const deadline = performance.now() + DEADLINE_MS; isAlive(postmaster); await pause(20)) {
    if (performance.now() > deadline) throw new Error(`PostgreSQL (pid ${postmaster.pid}) does not stop`);
  }
  forgetState(stateFile);
}
