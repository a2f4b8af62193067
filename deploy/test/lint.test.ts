import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runIn, type ScratchTree, scratchTree } from "./scratch-tree.ts";

type Finding = { category: string; severity: string; location: { path: string } };

const ports = "plugin";
const globals = "lint/style/noRestrictedGlobals";
const imports = "lint/style/noRestrictedImports";

/** [what is banned, where, the code, which rule must find it] */
const bans: [string, string, string, string][] = [
  ["the clock of the machine", "services/alpha/src/a1.ts", "export const at = Date.now();", ports],
  ["the present moment", "services/alpha/src/a2.ts", "export const at = new Date();", ports],
  ["the present moment as text", "services/alpha/src/a3.ts", "export const at = Date();", ports],
  ["chance", "services/alpha/src/commands/a4.ts", "export const dice = Math.random();", ports],
  ["a random id", "services/alpha/src/a5.ts", "export const id = crypto.randomUUID();", ports],
  ["a way around by globalThis", "services/alpha/src/a6.ts", "export const at = globalThis.Date;", ports],
  ["a timer", "services/alpha/src/a7.ts", "export const wait = () => setTimeout(String, 5);", globals],
  [
    "a repeated timer",
    "services/alpha/src/a8.ts",
    "export const wait = () => setInterval(String, 5);",
    globals,
  ],
  ["the network", "services/alpha/src/bank/a9.ts", "export const ask = () => fetch('http://bank');", globals],
  ["the clock of performance", "services/alpha/src/a10.ts", "export const at = performance.now();", globals],
  [
    "an imported random id",
    "services/alpha/src/a11.ts",
    'export { randomUUID } from "node:crypto";',
    imports,
  ],
  [
    "a random uuid",
    "services/alpha/src/a12.ts",
    'import { v4 } from "uuid";\nexport const id = v4();',
    imports,
  ],
  [
    "an imported timer",
    "services/alpha/src/a13.ts",
    'import * as t from "node:timers/promises";\nexport const x = t;',
    imports,
  ],
  [
    "time in the gateway's read models",
    "gateway/src/read-models/a14.ts",
    "export const at = Date.now();",
    ports,
  ],
  ["time in contracts", "contracts/src/a15.ts", "export const at = new Date();", ports],
  [
    "the network in contracts",
    "contracts/src/a16.ts",
    "export const ask = () => fetch('http://bank');",
    globals,
  ],
  [
    "an amount as a number in earnings",
    "services/earnings/src/m1.ts",
    'export const a = Number("1.5");',
    ports,
  ],
  ["a parsed float in billing", "services/billing/src/m2.ts", 'export const a = parseFloat("1.5");', ports],
  [
    "a parsed float of Number in billing",
    "services/billing/src/m3.ts",
    'export const a = Number.parseFloat("1");',
    ports,
  ],
  [
    "a parsed integer in earnings",
    "services/earnings/src/m4.ts",
    'export const a = parseInt("1", 10);',
    ports,
  ],
  ["any", "gateway/src/s1.ts", "export const x: any = 1;", "lint/suspicious/noExplicitAny"],
  ["words on the console", "gateway/src/s2.ts", 'console.log("here");', "lint/suspicious/noConsole"],
  [
    "a swallowed error",
    "gateway/src/s3.ts",
    "try {\n  String(1);\n} catch {}",
    "lint/suspicious/noEmptyBlockStatements",
  ],
  [
    "an ignored type error",
    "gateway/src/s4.ts",
    "// @ts-ignore\nexport const x = 1;",
    "lint/suspicious/noTsIgnore",
  ],
  ["a barrel", "gateway/src/s5.ts", 'export * from "./app.ts";', "lint/performance/noBarrelFile"],
];

async function findings(tree: ScratchTree): Promise<Finding[]> {
  const args = ["lint", "--reporter=json", "--max-diagnostics=1000", "."];
  return JSON.parse(await runIn(tree, "@biomejs/biome/bin/biome", args)).diagnostics;
}

let tree: ScratchTree;
beforeAll(() => {
  tree = scratchTree();
});
afterAll(() => tree.remove());

test("what every part may do, the runtime's own clock among it, passes", async () => {
  expect(await findings(tree)).toEqual([]);
});

describe("what is banned is found:", () => {
  let found: Finding[];
  beforeAll(async () => {
    tree.write(Object.fromEntries(bans.map(([, file, code]) => [file, `${code}\n`])));
    found = await findings(tree);
  });

  test.each(bans)("%s (%s)", (_, file, __, rule) => {
    const here = found.filter(({ severity, location }) => severity === "error" && location.path === file);
    expect(here.map(({ category }) => category)).toContain(rule);
  });
});
