import { existsSync, statSync } from "node:fs";
import { dirname } from "node:path";

/** Whom PostgreSQL runs as, in spawn's words; empty means: as ourselves. */
export type Account = { uid?: number; gid?: number };

const NOBODY = { uid: 65534, gid: 65534 };

/** PostgreSQL refuses root, so root runs it as the owner of the data, or as nobody when there is none yet. */
export function accountFor(dataDir: string): Account {
  if (process.getuid?.() !== 0) return {};
  const owner = existsSync(dataDir) ? statSync(dataDir) : undefined;
  return owner && owner.uid !== 0 ? { uid: owner.uid, gid: owner.gid } : NOBODY;
}

/** Whether the account may enter this directory and read in it, judged by the modes of every directory above it. */
export function mayEnter({ uid, gid }: Account, directory: string): boolean {
  if (uid === undefined) return true;
  for (let dir = directory; ; dir = dirname(dir)) {
    const { mode, uid: owner, gid: group } = statSync(dir);
    const shift = owner === uid ? 6 : group === gid ? 3 : 0;
    const needed = dir === directory ? 0o5 : 0o1;
    if (((mode >> shift) & needed) !== needed) return false;
    if (dir === dirname(dir)) return true;
  }
}
