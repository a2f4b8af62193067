import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";

/** Writes a state file whole or not at all, whoever is killed meanwhile; readable by its owner only. */
export function writeState(path: string, state: object): void {
  const draft = `${path}.${process.pid}-${randomBytes(4).toString("hex")}`;
  writeFileSync(draft, `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600 });
  renameSync(draft, path);
}

/** Reads a state file, null when there is none. Throws when it is not what we once wrote. */
export function readState<S>(path: string, isState: (state: unknown) => state is S): S | null {
  if (!existsSync(path)) return null;
  const state: unknown = JSON.parse(readFileSync(path, "utf8"));
  if (!isState(state)) throw new Error(`${path} is not a state file of ours: remove it and start again`);
  return state;
}

/** Forgets a state file; it may be gone already. */
export function forgetState(path: string): void {
  rmSync(path, { force: true });
}
