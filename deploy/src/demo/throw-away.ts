import { existsSync, mkdirSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { livingPostmaster } from "../postgres/postmaster.ts";
import { tributaryDir } from "../state/checkout.ts";
import { identify, isAlive, type ProcessIdentity } from "../state/process-identity.ts";
import { readState, writeState } from "../state/state-file.ts";

const NAME = /^demo-(\d+)(-\d+)?$/;
const isIdentity = (state: unknown): state is ProcessIdentity =>
  typeof (state as ProcessIdentity | null)?.pid === "number" && "started" in (state as ProcessIdentity);

let made = 0;

/** A directory for this run alone; ends and removes first what runs that were killed have left behind. */
export function throwAwayDirectory(): string {
  const root = tributaryDir();
  for (const name of readdirSync(root)) if (NAME.test(name)) sweep(join(root, name));
  const directory = join(root, `demo-${process.pid}${made++ === 0 ? "" : `-${made}`}`);
  mkdirSync(directory);
  writeState(join(directory, "owner.json"), identify(process.pid)!);
  return directory;
}

/** Where the run's data stands in truth: elsewhere when the checkout is closed to the account that PostgreSQL runs under. */
function dataOf(directory: string): string | null {
  const data = join(directory, "postgres");
  return existsSync(data) ? realpathSync(data) : null;
}

/** Removes the directory and all in it. */
export function removeDirectory(directory: string): void {
  for (const path of [dataOf(directory), directory])
    if (path) rmSync(path, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
}

function sweep(directory: string): void {
  const owner = readState(join(directory, "owner.json"), isIdentity);
  // One that has no owner yet was made a moment ago, unless its process is gone.
  const lives = owner ? isAlive(owner) : identify(Number(NAME.exec(basename(directory))![1])) !== null;
  if (lives) return;
  const path = dataOf(directory);
  const postgres = path && livingPostmaster({ path });
  if (postgres) process.kill(postgres.pid, "SIGQUIT");
  const sandbox = readState(join(directory, "sandbox/process.json"), isIdentity);
  if (sandbox && isAlive(sandbox)) process.kill(sandbox.pid, "SIGKILL");
  removeDirectory(directory);
}
