import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { Person } from "../src/driver/person.ts";
import { SEEDED } from "../src/seeds.ts";
import { checkoutRoot } from "../src/state/checkout.ts";
import { freePort } from "../src/state/free-port.ts";
import { identify } from "../src/state/process-identity.ts";

interface Start {
  readonly process: ChildProcess;
  said(): string;
  /** Resolves with everything said once the address is printed, or the process has ended. */
  readonly told: Promise<string>;
  readonly ended: Promise<number | null>;
}

function start(directory: string, port: number): Start {
  const child = spawn(process.execPath, ["deploy/scripts/run.mjs", "deploy/src/start.ts"], {
    cwd: checkoutRoot(),
    env: { PATH: process.env.PATH, HOME: process.env.HOME, PORT: String(port), TRIBUTARY_DIR: directory },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  const ended = new Promise<number | null>((resolve) => child.once("exit", (code) => resolve(code)));
  const told = new Promise<string>((resolve) => {
    for (const stream of [child.stdout!, child.stderr!]) {
      stream.on("data", (text: Buffer) => {
        said += text;
        if (said.includes("Ctrl-C stops everything")) resolve(said);
      });
    }
    void ended.then(() => resolve(said));
  });
  return { process: child, said: () => said, told, ended };
}

const pidOf = (directory: string, file: string): number =>
  JSON.parse(readFileSync(join(directory, file), "utf8")).pid;

/** A zombie, dead and not yet buried by whoever inherited it, is nobody. */
const lives = (pid: number): boolean => identify(pid) !== null;

test("npm start serves the home page, survives kill -9, adopts what lives, finds its data again and stops on Ctrl-C", async () => {
  const directory = mkdtempSync(join(tmpdir(), "tributary-start-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;

  const first = start(directory, port);
  onTestFinished(() => void first.process.kill("SIGKILL"));
  expect(await first.told).toContain(`Tributary is at ${url}`);
  expect(first.said()).toMatch(/\[ +\d+\.\d s\] Starting PostgreSQL/);
  for (const { email } of Object.values(SEEDED)) expect(first.said()).toContain(email);
  const home = await fetch(url);
  expect([home.status, await home.text()]).toEqual([200, expect.stringContaining('<div id="root"')]);
  expect(await (await fetch(`${url}/healthz`)).json()).toEqual({ ok: true });
  const ana = new Person(url, SEEDED.creator.email, SEEDED.creator.password);
  await ana.signIn();
  const before = await ana.get<{ id: string }>("/api/creators/me");

  const beside = start(directory, await freePort());
  expect(await beside.told).toContain("Tributary is running already");
  expect(await beside.ended).toBe(0);

  const postgres = pidOf(directory, "postgres.json");
  const sandbox = pidOf(directory, "sandbox/process.json");
  first.process.kill("SIGKILL");
  await first.ended;
  expect([lives(postgres), lives(sandbox)]).toEqual([true, true]);

  const second = start(directory, port);
  onTestFinished(() => void second.process.kill("SIGKILL"));
  expect(await second.told).toContain(`Tributary is at ${url}`);
  expect([pidOf(directory, "postgres.json"), pidOf(directory, "sandbox/process.json")]).toEqual([
    postgres,
    sandbox,
  ]);
  await ana.signIn();
  expect(await ana.get("/api/creators/me")).toEqual(before);

  second.process.kill("SIGINT");
  expect(await second.ended).toBe(0);
  expect([lives(postgres), lives(sandbox)]).toEqual([false, false]);
}, 120_000);
