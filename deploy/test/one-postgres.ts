import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { livingPostmaster } from "../src/postgres/postmaster.ts";
import { startPostgres } from "../src/postgres/start-postgres.ts";
import { identify, isAlive, type ProcessIdentity } from "../src/state/process-identity.ts";
import { readState, writeState } from "../src/state/state-file.ts";

const NURSERY = join(tmpdir(), `tributary-tests-${process.getuid?.() ?? 0}`);

/**
 * One PostgreSQL for the whole run, over data that is thrown away: the one of DATABASE_URL (a superuser's address) when
 * it is set, else an embedded one. TEST_FSYNC=off spares a slow disk; durability is then not tested.
 */
export default async function onePostgres(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env.DATABASE_URL;
  if (given) {
    project.provide("postgresUrl", given);
    return async () => undefined;
  }
  mkdirSync(NURSERY, { recursive: true, mode: 0o755 });
  await sweep();
  const home = mkdtempSync(join(NURSERY, "run-"));
  chmodSync(home, 0o755);
  writeState(join(home, "owner.json"), identify(process.pid) ?? {});
  const dataDir = join(home, "data");
  const postgres = await startPostgres({
    dataDir,
    name: "postgres",
    fsync: process.env.TEST_FSYNC !== "off",
  });
  project.provide("postgresUrl", postgres.url);
  return async () => {
    await postgres.stop();
    rmSync(home, { recursive: true });
  };
}

/** A run that was killed leaves its PostgreSQL behind; the next run ends it. */
async function sweep(): Promise<void> {
  for (const name of readdirSync(NURSERY)) {
    const home = join(NURSERY, name);
    const owner = readState(join(home, "owner.json"), isIdentity);
    if (owner && isAlive(owner)) continue;
    const left = livingPostmaster({ path: join(home, "data") });
    if (left) process.kill(left.pid, "SIGQUIT");
    if (owner) rmSync(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
}

const isIdentity = (state: unknown): state is ProcessIdentity =>
  typeof state === "object" && state !== null && "pid" in state && "started" in state;
