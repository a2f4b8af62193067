import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, openSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { commandLine, identify, type ProcessIdentity } from "../state/process-identity.ts";
import { binariesFor } from "./binaries.ts";
import type { DataDir } from "./data-dir.ts";

const SETTINGS: Record<string, string> = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  max_connections: "300",
  shared_buffers: "128MB",
  wal_compression: "on",
  max_wal_size: "1GB",
  jit: "off",
  timezone: "UTC",
  log_timezone: "UTC",
  log_min_duration_statement: "5s",
};

/** The process that serves a data directory. */
export type Postmaster = ProcessIdentity & { port: number };

/**
 * The living postmaster of this data directory, null when there is none. It is known by its command line, so a stranger
 * that was given the pid of a dead one is not taken for it; the dead one's lock file is then removed, because
 * PostgreSQL itself would believe it.
 */
export function livingPostmaster({ path }: Pick<DataDir, "path">): Postmaster | null {
  const lockFile = join(path, "postmaster.pid");
  if (!existsSync(lockFile)) return null;
  const [pid, , , port] = readFileSync(lockFile, "utf8").split("\n").map(Number);
  const identity = identify(pid ?? 0);
  if (identity && servesData(identity.pid, path)) return { ...identity, port: port ?? 0 };
  rmSync(lockFile);
  return null;
}

/** Starts PostgreSQL as a process of its own that outlives us; what it says goes to the log file. Null: it died at once. */
export async function launch(
  { path, account }: DataDir,
  port: number,
  logFile: string,
  fsync: boolean,
): Promise<ProcessIdentity | null> {
  const settings = { ...SETTINGS, port: String(port), fsync: fsync ? "on" : "off" };
  const args = [
    "-D",
    path,
    ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]),
  ];
  const log = openSync(logFile, logSize(logFile) > 10_000_000 ? "w" : "a", 0o600);
  const child = spawn(binariesFor(account).postgres, args, {
    ...account,
    cwd: "/",
    detached: true,
    stdio: ["ignore", log, log],
    env: { LC_ALL: "C" },
  });
  closeSync(log);
  await once(child, "spawn");
  child.unref();
  return identify(child.pid ?? 0);
}

/** Whether a session with the superuser's password is granted there, on this very data directory. */
export async function answers({ path, password }: DataDir, port: number): Promise<boolean> {
  const client = new pg.Client({
    connectionString: superuserUrl(password, port),
    connectionTimeoutMillis: 10_000,
  });
  let broken: Error | undefined;
  client.on("error", (error) => {
    broken = error;
  });
  try {
    await client.connect();
    const { rows } = await client.query("select current_setting('data_directory') as path");
    return rows[0].path === path;
  } catch (error) {
    const { code = "", message } = (broken ?? error) as Error & { code?: string };
    // Refused or reset: not listening yet. 57P03: starting up or recovering. 28P01: another's PostgreSQL on this port.
    const silent = ["ECONNREFUSED", "ECONNRESET", "57P03", "57P01", "28P01"].includes(code);
    if (silent || /timeout expired|terminated unexpectedly/.test(message)) return false;
    throw error;
  } finally {
    await client.end();
  }
}

/** The superuser's address of the database `postgres`. */
export function superuserUrl(password: string, port: number): string {
  return `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
}

/** What the log has said since it had this many bytes. */
export function logTail(logFile: string, since: number): string {
  return existsSync(logFile) ? readFileSync(logFile).subarray(since).toString("utf8").trim() : "";
}

/** The size of the log in bytes, 0 when there is none. */
export function logSize(logFile: string): number {
  return statSync(logFile, { throwIfNoEntry: false })?.size ?? 0;
}

function servesData(pid: number, path: string): boolean {
  const words = commandLine(pid);
  return /(^|\/)postgres$/.test(words[0] ?? "") && words[1] === "-D" && words[2] === path;
}
