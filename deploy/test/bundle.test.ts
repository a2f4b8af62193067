import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { afterEach, beforeEach, expect, test } from "vitest";

let checkout: string;

beforeEach(() => {
  checkout = mkdtempSync(join(tmpdir(), "tributary-bundle-"));
  cpSync("deploy/scripts", join(checkout, "deploy/scripts"), { recursive: true });
  mkdirSync(join(checkout, "node_modules/@tributary"), { recursive: true });
  symlinkSync(resolve("node_modules/esbuild"), join(checkout, "node_modules/esbuild"));
  symlinkSync(join(checkout, "words"), join(checkout, "node_modules/@tributary/words"));
  write("package-lock.json", "{}");
  write("words/package.json", '{ "exports": { "./*": "./src/*.ts" } }');
  write("words/src/greeting.ts", 'export const greeting: string = "good day";\n');
  write(
    "main.ts",
    'import { greeting } from "@tributary/words/greeting";\nconsole.log(greeting, process.argv[2]);\n',
  );
});
afterEach(() => rmSync(checkout, { recursive: true }));

function write(path: string, content: string): void {
  mkdirSync(dirname(join(checkout, path)), { recursive: true });
  writeFileSync(join(checkout, path), content);
}

function run(...args: string[]) {
  return spawnSync(process.execPath, [join(checkout, "deploy/scripts/run.mjs"), ...args], {
    cwd: checkout,
    encoding: "utf8",
  });
}

const built = () => statSync(join(checkout, ".tributary/build/main.mjs"), { bigint: true });

test("an entry runs with its arguments, our packages bundled in", () => {
  expect(run("main.ts", "ana")).toMatchObject({ status: 0, stdout: "good day ana\n", stderr: "" });
});

test("nothing is built while nothing has changed, and everything when a package of ours has", () => {
  run("main.ts");
  const before = built();
  run("main.ts");
  expect(built()).toEqual({ ...before, atimeMs: built().atimeMs, atimeNs: built().atimeNs });

  write("words/src/greeting.ts", 'export const greeting = "good evening";\n');
  utimesSync(join(checkout, "words/src/greeting.ts"), new Date(1e12), new Date(1e12));
  expect(run("main.ts", "ben").stdout).toBe("good evening ben\n");
});

test("a fault is shown at the line of its source, and the exit code passes", () => {
  write("main.ts", '// one\n// two\nthrow new Error("here");\n');
  const { status, stderr } = run("main.ts");
  expect(stderr).toContain("main.ts:3");
  expect(status).toBe(1);
});

test("a signal reaches the entry itself", async () => {
  write(
    "main.ts",
    'process.on("SIGINT", () => process.exit(7));\nsetInterval(String, 1000);\nconsole.log("up");\n',
  );
  const child = spawn(process.execPath, [join(checkout, "deploy/scripts/run.mjs"), "main.ts"], {
    cwd: checkout,
  });
  await once(createInterface({ input: child.stdout }), "line");
  child.kill("SIGINT");
  expect((await once(child, "exit"))[0]).toBe(7);
});

test("processes that ask for the same bundle at once all run the whole of it", async () => {
  const children = Array.from({ length: 4 }, () =>
    spawn(process.execPath, [join(checkout, "deploy/scripts/run.mjs"), "main.ts", "ana"], { cwd: checkout }),
  );
  const codes = await Promise.all(children.map(async (child) => (await once(child, "exit"))[0]));
  expect(codes).toEqual([0, 0, 0, 0]);
  expect(run("main.ts", "ana").stdout).toBe("good day ana\n");
});

test("a file finds what stands beside its source", () => {
  write("beside.txt", "here");
  write(
    "main.ts",
    'import { readFileSync } from "node:fs";\nconsole.log(readFileSync(new URL("./beside.txt", import.meta.url), "utf8"));\n',
  );
  expect(run("main.ts").stdout).toBe("here\n");
});
