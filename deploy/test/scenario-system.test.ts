import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { readScenario } from "../src/scenario/read-scenario.ts";
import { runScenario } from "../src/scenario/run-scenario.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const folder = join(root, "deploy/scenarios");
const read = (file: string): string => readFileSync(join(folder, file), "utf8");

/** `npm run demo -- --scenario FILE --json`, without npm's own lines. */
const demo = (file: string): Promise<{ code: number; stdout: string; stderr: string }> =>
  new Promise((resolve) => {
    const args = ["deploy/scripts/run.mjs", "deploy/src/demo.ts", "--scenario", file, "--json"];
    const child = execFile(process.execPath, args, { cwd: root }, (_, stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    );
  });

test("the demo prints the result of the example and nothing else, and exits with 0", async () => {
  const { code, stdout, stderr } = await demo(join(folder, "example.json"));
  expect(code, stderr).toBe(0);
  expect(JSON.parse(stdout)).toEqual(JSON.parse(read("example.result.json")));
}, 300_000);

test("of an invalid scenario the demo tells the reason on stderr, prints nothing, and exits with 2", async () => {
  const directory = mkdtempSync(join(tmpdir(), "tributary-scenario-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const file = join(directory, "invalid.json");
  writeFileSync(file, read("example.json").replace('"days": 75', '"days": 0'));
  expect(await demo(file)).toEqual({ code: 2, stdout: "", stderr: "days: must be at least 1\n" });
  const missing = await demo(join(directory, "missing.json"));
  expect(missing).toMatchObject({ code: 2, stdout: "" });
  expect(missing.stderr).toContain("missing.json");
}, 60_000);

const rules = readdirSync(folder).filter(
  (file) => file.startsWith("rule-") && !file.endsWith(".result.json"),
);
for (const file of rules)
  test(`${file} comes to what is written beside it, through the whole system`, async () => {
    const result = await runScenario(readScenario(read(file)));
    expect(result).toEqual(JSON.parse(read(file.replace(".json", ".result.json"))));
  }, 300_000);
