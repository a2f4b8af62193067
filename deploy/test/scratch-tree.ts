import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";

/** A tree in the shape of this repository, with its very rules, to plant violations in. */
export type ScratchTree = { dir: string; write(files: Record<string, string>): void; remove(): void };

const manifest = (name: string, more = {}) =>
  JSON.stringify({ name, version: "1.0.0", type: "module", exports: { "./*": "./src/*.ts" }, ...more });

const workspaces: Record<string, string> = {
  contracts: "contracts",
  runtime: "services/_runtime",
  alpha: "services/alpha",
  beta: "services/beta",
  gateway: "gateway",
  web: "web",
  deploy: "deploy",
  sandbox: "deploy/sandbox",
};

const everyWorkspace = Object.fromEntries(Object.keys(workspaces).map((name) => [`@tributary/${name}`, "*"]));
const enginesThere = { pg: "*", fastify: "*", stripe: "*" };

/** What every part may do: the rules must find nothing here. */
const lawful: Record<string, string> = {
  "contracts/src/money.ts": "export const cents = 100n;\n",
  "services/_runtime/src/clock.ts":
    'import pg from "pg";\nimport { cents } from "@tributary/contracts/money";\n\nexport const now = [Date.now(), new Date(), Math.random(), fetch, setTimeout, pg, cents];\n',
  "services/alpha/src/main.ts":
    'import { now } from "@tributary/runtime/clock";\nimport { act } from "./commands/do-act.ts";\n\nexport const alpha = [now, act];\n',
  "services/alpha/src/commands/do-act.ts":
    'import { cents } from "@tributary/contracts/money";\nimport { pay } from "../bank/pay.ts";\n\nexport const act = [cents, pay, new Date(0)];\n',
  "services/alpha/src/bank/pay.ts":
    'import { connect } from "node:net";\nimport Stripe from "stripe";\n\nexport const pay = [connect, Stripe];\n',
  "services/beta/src/main.ts": "export const beta = Number.isInteger(1);\n",
  "gateway/src/app.ts": 'import fastify from "fastify";\n\nexport const app = fastify;\n',
  "web/src/main.tsx":
    'import { cents } from "@tributary/contracts/money";\n\nexport const shown = String(cents);\n',
  "deploy/src/local.ts":
    'import { alpha } from "@tributary/alpha/main";\nimport { beta } from "@tributary/beta/main";\nimport { app } from "@tributary/gateway/app";\n\nexport const whole = [alpha, beta, app];\n',
  "deploy/sandbox/src/main.ts": 'console.log("the partners are at home");\n',
};

/** A new scratch tree outside the checkout, lawful as it stands. */
export function scratchTree(): ScratchTree {
  const dir = mkdtempSync(join(tmpdir(), "tributary-rules-"));
  const write = (files: Record<string, string>) => {
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(dir, path)), { recursive: true });
      writeFileSync(join(dir, path), content);
    }
  };
  for (const path of [".dependency-cruiser.cjs", "tsconfig.json", "biome.json", "deploy/lint"]) {
    cpSync(path, join(dir, path), { recursive: true });
  }
  write({ "package.json": manifest("scratch"), ...lawful });
  for (const [name, home] of Object.entries(workspaces)) {
    const dependencies = { ...everyWorkspace, ...enginesThere };
    write({ [`${home}/package.json`]: manifest(name, { dependencies, devDependencies: { pencil: "*" } }) });
    mkdirSync(join(dir, "node_modules/@tributary"), { recursive: true });
    symlinkSync(join(dir, home), join(dir, "node_modules/@tributary", name));
  }
  for (const name of [...Object.keys(enginesThere), "pencil", "undeclared"]) {
    const home = `node_modules/${name}`;
    write({ [`${home}/package.json`]: JSON.stringify({ name, main: "index.js" }), [`${home}/index.js`]: "" });
  }
  return { dir, write, remove: () => rmSync(dir, { recursive: true }) };
}

/** Runs one of this checkout's programs in the scratch tree; both of ours end with 1 when they have found something. */
export function runIn(tree: ScratchTree, program: string, args: string[]): Promise<string> {
  return new Promise((done, fail) => {
    const options = { cwd: tree.dir, maxBuffer: 50_000_000 };
    execFile(
      process.execPath,
      [resolve("node_modules", program), ...args],
      options,
      (error, stdout, stderr) => {
        if (stdout.startsWith("{")) done(stdout);
        else fail(error ?? new Error(`${program} said nothing: ${stderr}`));
      },
    );
  });
}
