import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { type Account, accountFor, mayEnter } from "./account.ts";
import { binariesFor } from "./binaries.ts";
import { outside } from "./outside.ts";

/** Where the data stands in truth (behind a link when the checkout is closed to the account), and the key to it. */
export type DataDir = { path: string; password: string; account: Account };

/**
 * The data directory, made by initdb (locale C, UTF-8, scram) when there is none yet. It appears whole or not at all.
 * The superuser's random password stands beside it, readable by its owner only.
 */
export async function dataDirAt(dataDir: string): Promise<DataDir> {
  const passwordFile = `${dataDir}.password`;
  if (!existsSync(dataDir)) await create(dataDir, passwordFile);
  const path = realpathSync(dataDir);
  return { path, password: readFileSync(passwordFile, "utf8").trim(), account: accountFor(path) };
}

async function create(dataDir: string, passwordFile: string): Promise<void> {
  mkdirSync(dirname(dataDir), { recursive: true });
  if (lstatSync(dataDir, { throwIfNoEntry: false })) rmSync(dataDir); // a link whose data was removed
  const password = randomBytes(24).toString("base64url");
  const account = accountFor(dataDir);
  const open = mayEnter(account, dirname(dataDir));
  const home = open ? dataDir : join(outside(), `${basename(dataDir)}-${randomBytes(8).toString("hex")}`);

  const nursery = `${home}.new`;
  rmSync(nursery, { recursive: true, force: true });
  mkdirSync(nursery, { mode: 0o700 });
  const handedPassword = join(nursery, "password");
  writeFileSync(handedPassword, password, { mode: 0o600 });
  if (account.uid !== undefined && account.gid !== undefined) {
    chownSync(nursery, account.uid, account.gid);
    chownSync(handedPassword, account.uid, account.gid);
  }
  await initdb(join(nursery, "data"), handedPassword, account);

  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
  renameSync(join(nursery, "data"), home);
  rmSync(nursery, { recursive: true });
  if (!open) symlinkSync(home, dataDir);
}

async function initdb(path: string, passwordFile: string, account: Account): Promise<void> {
  const options = ["--username=postgres", "--encoding=UTF8", "--locale=C", "--auth=scram-sha-256"];
  const args = ["-D", path, ...options, `--pwfile=${passwordFile}`];
  try {
    await promisify(execFile)(binariesFor(account).initdb, args, {
      ...account,
      cwd: "/",
      env: { LC_ALL: "C" },
    });
  } catch (error) {
    throw new Error(`initdb failed: ${(error as { stderr?: string }).stderr ?? ""}`, { cause: error });
  }
}
