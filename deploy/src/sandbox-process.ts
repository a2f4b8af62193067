import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { bundleFor } from "../scripts/bundle.mjs";
import { freePort } from "./state/free-port.ts";
import { withLock } from "./state/lock.ts";
import { identify, isAlive, type ProcessIdentity } from "./state/process-identity.ts";
import { forgetState, readState, writeState } from "./state/state-file.ts";

/** The partner sandbox at work: a process that outlives the one that asked for it. */
export interface Sandbox {
  readonly url: string;
  readonly pid: number;
  readonly adopted: boolean;
  stop(): Promise<void>;
}

type Living = ProcessIdentity & { readonly url: string; readonly built: string };
const isLiving = (state: unknown): state is Living =>
  typeof (state as Living | null)?.pid === "number" && typeof (state as Living).url === "string";

const DEADLINE_MS = 30_000;

/** What may be asked of it: where its journal lies, its seed, and its clock (`ticking`, or an instant at which it stands still). */
export interface SandboxOptions {
  readonly directory: string;
  readonly seed?: number;
  readonly clock?: string;
}

const answers = async (url: string): Promise<boolean> => {
  try {
    return (await fetch(`${url}/_sandbox/health`, { signal: AbortSignal.timeout(2000) })).ok;
  } catch {
    return false;
  }
};

/** The sandbox over this directory: the one that already lives, or a new one that finds its state again. */
export async function startSandboxProcess({
  directory,
  seed = 1,
  clock = "ticking",
}: SandboxOptions): Promise<Sandbox> {
  mkdirSync(directory, { recursive: true });
  const stateFile = join(directory, "process.json");
  return withLock(join(directory, "process.lock"), async () => {
    const built = await bundleFor("deploy/sandbox/src/main.ts");
    const known = readState(stateFile, isLiving);
    if (known && isAlive(known) && (await answers(known.url))) return handle(known, stateFile, true);
    if (known && isAlive(known)) process.kill(known.pid, "SIGKILL");
    const port = known ? Number(new URL(known.url).port) : await freePort();
    const log = join(directory, "sandbox.log");
    const out = openSync(log, "a");
    const child: ChildProcess = spawn(process.execPath, ["--enable-source-maps", built], {
      detached: true,
      stdio: ["ignore", out, out],
      env: {
        PATH: process.env.PATH,
        SANDBOX_DATA: directory,
        SANDBOX_PORT: String(port),
        SANDBOX_SEED: String(seed),
        SANDBOX_CLOCK: clock,
      },
    });
    child.unref();
    const url = `http://127.0.0.1:${port}`;
    for (const deadline = performance.now() + DEADLINE_MS; !(await answers(url)); await pause(25)) {
      if (child.exitCode !== null || performance.now() > deadline) {
        throw new Error(`the partner sandbox doesn't come up:\n${readFileSync(log, "utf8").slice(-2000)}`);
      }
    }
    const living = { ...identify(child.pid!)!, url, built };
    writeState(stateFile, living);
    return handle(living, stateFile, false);
  });
}

function handle(living: Living, stateFile: string, adopted: boolean): Sandbox {
  return {
    url: living.url,
    pid: living.pid,
    adopted,
    async stop() {
      if (isAlive(living)) process.kill(living.pid, "SIGTERM");
      for (const deadline = performance.now() + 5000; isAlive(living); await pause(20)) {
        if (performance.now() > deadline) process.kill(living.pid, "SIGKILL");
      }
      forgetState(stateFile);
    },
  };
}
