import { randomBytes } from "node:crypto";
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { identify, isAlive, type ProcessIdentity } from "./process-identity.ts";

/**
 * Runs the act while no other process of this machine runs one under the same lock file. A holder that was killed holds
 * nothing. Gives up after `waitMs`, naming the process that holds it.
 */
export async function withLock<T>(path: string, act: () => Promise<T>, waitMs = 120_000): Promise<T> {
  const me = identify(process.pid);
  const mine = `${path}.${process.pid}-${randomBytes(4).toString("hex")}`;
  writeFileSync(mine, JSON.stringify(me));
  try {
    for (const deadline = performance.now() + waitMs; !taken(mine, path); await pause(25)) {
      const holder = holderOf(path);
      if (holder && !isAlive(holder)) breakLock(path, holder);
      else if (performance.now() > deadline) throw new Error(`process ${holder?.pid} holds ${path}`);
    }
    try {
      return await act();
    } finally {
      rmSync(path, { force: true });
    }
  } finally {
    rmSync(mine, { force: true });
  }
}

/** A link appears with its content or not at all, and for one process only. */
function taken(mine: string, path: string): boolean {
  try {
    linkSync(mine, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

function holderOf(path: string): ProcessIdentity | null {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

/** Moved aside before it is judged: two processes may find the same dead holder, and one of them come late. */
function breakLock(path: string, dead: ProcessIdentity): void {
  const aside = `${path}.broken-${process.pid}-${randomBytes(4).toString("hex")}`;
  try {
    renameSync(path, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return;
    throw error;
  }
  const moved = holderOf(aside);
  if (moved && (moved.pid !== dead.pid || moved.started !== dead.started)) taken(aside, path);
  rmSync(aside);
}
