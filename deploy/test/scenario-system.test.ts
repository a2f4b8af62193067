import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { demoOf } from "./demo-command.ts";

const folder = fileURLToPath(new URL("../scenarios/", import.meta.url));
const read = (file: string): string => readFileSync(join(folder, file), "utf8");

const scenarios = readdirSync(folder).filter((file) => /^[^.]+\.json$/.test(file));
for (const file of scenarios)
  test(`the demo prints of ${file} the result written beside it and nothing else, and exits with 0`, async () => {
    const { code, stdout, stderr } = await demoOf(join(folder, file));
    expect(code, stderr).toBe(0);
    expect(JSON.parse(stdout)).toEqual(JSON.parse(read(file.replace(".json", ".result.json"))));
  }, 300_000);

test("of an invalid scenario the demo tells the reason on stderr, prints nothing, and exits with 2", async () => {
  const directory = mkdtempSync(join(tmpdir(), "tributary-scenario-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const file = join(directory, "invalid.json");
  writeFileSync(file, read("example.json").replace('"days": 75', '"days": 0'));
  expect(await demoOf(file)).toEqual({ code: 2, stdout: "", stderr: "days: must be at least 1\n" });
  const missing = await demoOf(join(directory, "missing.json"));
  expect(missing).toMatchObject({ code: 2, stdout: "" });
  expect(missing.stderr).toContain("missing.json");
}, 60_000);
