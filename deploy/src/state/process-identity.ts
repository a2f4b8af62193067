import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";

/** One process for ever: a pid is handed out again, but never with the same moment of birth. */
export type ProcessIdentity = { pid: number; started: string };

/** Who lives under this pid now; null when nobody does. A zombie, dead but not yet buried, is nobody. */
export function identify(pid: number): ProcessIdentity | null {
  if (!Number.isInteger(pid) || pid <= 0) return null;
  const birth = existsSync("/proc/self/stat") ? birthFromProc(pid) : birthFromPs(pid);
  return birth === null ? null : { pid, started: birth };
}

/** Whether the process written down earlier is still the one that lives under its pid. */
export function isAlive({ pid, started }: ProcessIdentity): boolean {
  return identify(pid)?.started === started;
}

/** The command line a process was started with; empty when nobody lives under the pid. */
export function commandLine(pid: number): string[] {
  if (!existsSync("/proc/self/stat")) return ps(pid, "args=")?.split(" ") ?? [];
  return readProc(`/proc/${pid}/cmdline`)?.split("\0").slice(0, -1) ?? [];
}

function birthFromProc(pid: number): string | null {
  const stat = readProc(`/proc/${pid}/stat`);
  if (stat === null) return null;
  // The name in parentheses may hold anything, so the fields are counted from its end: state is the 3rd, birth the 22nd.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  if (fields[0] === "Z" || fields[0] === "X") return null;
  const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").slice(0, 8);
  return `${boot}:${fields[19]}`;
}

function birthFromPs(pid: number): string | null {
  const line = ps(pid, "stat=,lstart=");
  return line === null || line.startsWith("Z") ? null : line.replace(/^\S+\s+/, "");
}

function readProc(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (["ENOENT", "ESRCH"].includes((error as NodeJS.ErrnoException).code ?? "")) return null;
    throw error;
  }
}

function ps(pid: number, columns: string): string | null {
  try {
    return execFileSync("ps", ["-o", columns, "-p", String(pid)], { encoding: "utf8" }).trim() || null;
  } catch (error) {
    if ((error as { status?: number }).status === 1) return null;
    throw error;
  }
}
