import { type ChildProcess, spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { migrate } from "@tributary/runtime/store/migrate";
import { bundleFor } from "../scripts/bundle.mjs";
import { rolePassword } from "./host.ts";
import type { Plan } from "./one-of-eight.ts";
import { startPostgres } from "./postgres/start-postgres.ts";
import { introduce, sandboxEnvironment } from "./sandbox-environment.ts";
import { startSandboxProcess } from "./sandbox-process.ts";
import { localSecrets } from "./secrets.ts";
import { listeners } from "./services.ts";
import { freePort } from "./state/free-port.ts";

/** The system as eight programs, each a process of its own under its own role. */
export interface Eight {
  readonly url: string;
  readonly sandboxUrl: string;
  readonly adminUrl: string;
  readonly pids: Readonly<Record<string, number>>;
  /** Kills a program with -9 and starts it again; resolves when it serves. */
  restart(name: string): Promise<void>;
  stop(): Promise<void>;
}

/** Where its data lies, its clock, and settings over those of the sandbox. */
export interface EightOptions {
  readonly directory: string;
  readonly clock?: string;
  readonly settings?: Readonly<Record<string, string>>;
  readonly level?: string;
}

/** Starts the same code as one process per service, against the same PostgreSQL and sandbox as the one process would use. */
export async function startEight({
  directory,
  clock,
  settings = {},
  level = "warn",
}: EightOptions): Promise<Eight> {
  const secret = localSecrets(directory);
  const [postgres, sandbox] = await Promise.all([
    startPostgres({ dataDir: join(directory, "postgres"), name: "postgres" }),
    startSandboxProcess({ directory: join(directory, "sandbox"), ...(clock ? { clock } : {}) }),
  ]);
  for (const service of listeners) await migrate(postgres.url, service, rolePassword(secret));
  const ports: Record<string, number> = {};
  for (const { name } of listeners) ports[name] = await freePort();
  const url = `http://127.0.0.1:${ports.gateway}`;
  const plan: Plan = {
    directory,
    postgresPort: postgres.port,
    sandboxUrl: sandbox.url,
    url,
    ports,
    settings,
    level,
  };
  const planPath = join(directory, "plan.json");
  writeFileSync(planPath, JSON.stringify(plan));
  const program = await bundleFor("deploy/src/one-of-eight.ts");
  const running = new Map<string, ChildProcess>();
  const start = async (name: string): Promise<void> => {
    const child = spawn(process.execPath, ["--enable-source-maps", program, name, planPath], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    running.set(name, child);
    await new Promise<void>((resolve, reject) => {
      createInterface({ input: child.stdout! }).once("line", () => resolve());
      child.once("exit", (code) => reject(new Error(`${name} ended with ${code} before it served`)));
    });
  };
  await Promise.all(listeners.map(({ name }) => start(name)));
  await introduce(sandbox.url, url, { ...sandboxEnvironment(sandbox.url, url, secret), ...settings });
  const ended = (child: ChildProcess): Promise<void> =>
    child.exitCode !== null || child.signalCode !== null
      ? Promise.resolve()
      : new Promise((resolve) => child.once("exit", () => resolve()));
  return {
    url,
    sandboxUrl: sandbox.url,
    adminUrl: postgres.url,
    get pids() {
      return Object.fromEntries([...running].map(([name, { pid }]) => [name, pid!]));
    },
    async restart(name) {
      const child = running.get(name)!;
      child.kill("SIGKILL");
      await ended(child);
      await start(name);
    },
    async stop() {
      for (const child of running.values()) child.kill("SIGTERM");
      await Promise.all([...running.values()].map(ended));
      await Promise.all([postgres.stop(), sandbox.stop()]);
    },
  };
}
