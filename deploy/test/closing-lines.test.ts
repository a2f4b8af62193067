import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "tributary-closing-"));
  symlinkSync(resolve("node_modules"), join(dir, "node_modules"));
  const reporters = JSON.stringify(["default", resolve("deploy/test/closing-lines.ts")]);
  writeFileSync(join(dir, "vitest.config.mjs"), `export default { test: { reporters: ${reporters} } };\n`);
});
afterEach(() => rmSync(dir, { recursive: true }));

function run(files: Record<string, string>) {
  for (const [name, body] of Object.entries(files)) {
    writeFileSync(join(dir, name), `import { expect, test } from "vitest";\n${body}\n`);
  }
  const { status, stdout } = spawnSync(process.execPath, [resolve("node_modules/vitest/vitest.mjs"), "run"], {
    cwd: dir,
    encoding: "utf8",
    env: { PATH: process.env.PATH ?? "" },
  });
  return { status, lines: stdout.trimEnd().split("\n") };
}

test("a run ends with its count alone on a line, what was not run and why above it", () => {
  const { status, lines } = run({
    "a.test.mjs":
      'test("one", () => {});\ntest("kafka", ({ skip }) => skip("no KAFKA_BROKERS"));\ntest.todo("later");',
  });
  expect(lines.slice(-4)).toEqual([
    "Not run:",
    "  a.test.mjs: kafka (no KAFKA_BROKERS)",
    "  a.test.mjs: later (no reason was given)",
    "1 passed, 0 failed",
  ]);
  expect(status).toBe(0);
});

test("a failed test, a file that can't be loaded and an error outside any test all count", () => {
  const { status, lines } = run({
    "a.test.mjs": 'test("one", () => {});\ntest("two", () => expect(1).toBe(2));',
    "b.test.mjs": 'import "./nowhere.mjs";\ntest("three", () => {});',
    "c.test.mjs": 'test("four", () => { Promise.reject(new Error("stray")); });',
  });
  expect(lines.at(-1)).toBe("2 passed, 3 failed");
  expect(status).toBe(1);
});
