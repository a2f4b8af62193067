import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { freePort, isFree } from "../src/state/free-port.ts";
import { withLock } from "../src/state/lock.ts";
import { identify, isAlive } from "../src/state/process-identity.ts";
import { forgetState, readState, writeState } from "../src/state/state-file.ts";
import { steps } from "../src/state/steps.ts";

type Named = { name: string };
const isNamed = (state: unknown): state is Named =>
  typeof state === "object" && state !== null && "name" in state;

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "tributary-state-"));
});
afterEach(() => rmSync(dir, { recursive: true }));

test("a state is read as it was written, by its owner only, and is forgotten without a trace", () => {
  const path = join(dir, "state.json");
  expect(readState(path, isNamed)).toBeNull();
  writeState(path, { name: "river" });
  expect(readState(path, isNamed)).toEqual({ name: "river" });
  expect(statSync(path).mode & 0o777).toBe(0o600);
  forgetState(path);
  forgetState(path);
  expect(readdirSync(dir)).toEqual([]);
});

test("a state file that is not ours is refused by its name", () => {
  const path = join(dir, "state.json");
  writeFileSync(path, "[]");
  expect(() => readState(path, isNamed)).toThrow(`${path} is not a state file of ours`);
});

test("a process is known by its birth: its pid alone proves nothing", async () => {
  const child = spawn(process.execPath, ["-e", "setInterval(() => 0, 1000)"]);
  const identity = identify(child.pid ?? 0);
  if (!identity) throw new Error("the child was not found");
  expect(isAlive(identity)).toBe(true);
  expect(isAlive({ ...identity, started: "at another time" })).toBe(false);
  child.kill("SIGKILL");
  await once(child, "exit");
  expect(isAlive(identity)).toBe(false);
});

test("acts under one lock never overlap", async () => {
  const lock = join(dir, "lock");
  let inside = 0;
  const act = async () => {
    expect(++inside).toBe(1);
    await new Promise(setImmediate);
    inside--;
  };
  await Promise.all(Array.from({ length: 5 }, () => withLock(lock, act)));
  expect(readdirSync(dir)).toEqual([]);
});

test("an act that fails gives its lock back", async () => {
  const lock = join(dir, "lock");
  await expect(withLock(lock, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(existsSync(lock)).toBe(false);
});

test("a holder that was killed holds nothing; one that lives is named", async () => {
  const lock = join(dir, "lock");
  writeFileSync(lock, JSON.stringify({ pid: process.pid, started: "in an earlier life" }));
  expect(await withLock(lock, async () => "mine")).toBe("mine");

  writeFileSync(lock, JSON.stringify(identify(process.pid)));
  await expect(withLock(lock, async () => "mine", 50)).rejects.toThrow(
    `process ${process.pid} holds ${lock}`,
  );
});

test("a free port can be listened on, and is not free while it is", async () => {
  const port = await freePort();
  const server = createServer().listen(port, "127.0.0.1");
  await once(server, "listening");
  expect(await isFree(port)).toBe(false);
  await new Promise((closed) => server.close(closed));
  expect(await isFree(port)).toBe(true);
});

test("steps say what is done while it is done, how long it took, and which one failed", async () => {
  let screen = "";
  const { step, say } = steps((text) => {
    screen += text;
  });
  expect(await step("Digging", () => 7)).toBe(7);
  await expect(step("Damming", () => Promise.reject(new Error("too deep")))).rejects.toThrow("too deep");
  say("The river runs");
  expect(screen.replace(/\d+\.\d/g, "0.0")).toBe(
    "[  0.0 s] Digging ... 0.0 s\n[  0.0 s] Damming ... failed after 0.0 s\n[  0.0 s] The river runs\n",
  );
});
