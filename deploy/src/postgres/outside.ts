import { accessSync, chmodSync, constants, mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * A directory outside the checkout that every account may enter and only root may change: where PostgreSQL's binaries
 * and data stand when the checkout lies under a directory that only root may enter.
 */
export function outside(): string {
  const dir = join(isWritable("/var/lib") ? "/var/lib" : tmpdir(), "tributary");
  mkdirSync(dir, { recursive: true, mode: 0o755 });
  chmodSync(dir, 0o755);
  return dir;
}

function isWritable(dir: string): boolean {
  try {
    accessSync(dir, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
