import { createRequire } from "node:module";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runIn, type ScratchTree, scratchTree } from "./scratch-tree.ts";

type Plant = { rule: string; file: string; content: string };
type Violation = { rule: { name: string }; from: string; cycle?: { name: string }[] };

const plant = (rule: string, file: string, ...content: string[]): Plant => ({
  rule,
  file,
  content: `${content.join("\n")}\n`,
});

const among = "services never import each other";
const frame = "the runtime knows no service";
const engine = "decisions touch no engine";
const door = "decisions open no door";

const plants: Plant[] = [
  plant(among, "services/alpha/src/by-path.ts", 'import "../../beta/src/main.ts";'),
  plant(among, "services/alpha/src/by-package.ts", 'import "@tributary/beta/main";'),
  plant(
    among,
    "services/alpha/src/by-type.ts",
    'import type { beta } from "@tributary/beta/main";',
    "export type B = typeof beta;",
  ),
  plant(among, "services/alpha/src/by-promise.ts", 'export const later = import("@tributary/beta/main");'),
  plant(among, "services/alpha/test/in-a-test.test.ts", 'import "@tributary/beta/main";'),
  plant(among, "services/newborn/src/main.ts", 'import "@tributary/alpha/main";'),
  plant(
    "contracts import nobody of ours",
    "contracts/src/knows-runtime.ts",
    'import "@tributary/runtime/clock";',
  ),
  plant(
    "contracts import nobody of ours",
    "contracts/test/knows-alpha.test.ts",
    'import "@tributary/alpha/main";',
  ),
  plant("contracts are browser-safe", "contracts/src/reads-files.ts", 'import "node:fs";'),
  plant(frame, "services/_runtime/src/knows-alpha.ts", 'import "@tributary/alpha/main";'),
  plant(frame, "services/_runtime/test/knows-deploy.test.ts", 'import "../../../deploy/src/local.ts";'),
  plant(
    "services stand on contracts and the runtime only",
    "services/alpha/src/commands/asks.ts",
    'import "@tributary/gateway/app";',
  ),
  plant(
    "the gateway asks services and imports none",
    "gateway/src/short-cut.ts",
    'import "@tributary/alpha/main";',
  ),
  plant(
    "the browser knows only contracts",
    "web/src/knows-runtime.tsx",
    'import "@tributary/runtime/clock";',
  ),
  plant(
    "the browser knows only contracts",
    "web/src/knows-gateway.tsx",
    'import "../../gateway/src/app.ts";',
  ),
  plant(
    "the sandbox imports nothing of ours",
    "deploy/sandbox/src/shares.ts",
    'import "@tributary/contracts/money";',
  ),
  plant(
    "the sandbox imports nothing of ours",
    "deploy/sandbox/src/borrows.ts",
    'import "../../src/local.ts";',
  ),
  plant("we never import the sandbox", "deploy/src/plays.ts", 'import "@tributary/sandbox/main";'),
  plant(
    "we never import the sandbox",
    "gateway/test/plays.test.ts",
    'import "../../deploy/sandbox/src/main.ts";',
  ),
  plant(engine, "services/alpha/src/stream.ts", 'import "pg";'),
  plant(engine, "services/alpha/src/commands/serve.ts", 'import "fastify";'),
  plant(
    engine,
    "services/alpha/src/commands/charge.ts",
    'import Stripe from "stripe";',
    "export { Stripe };",
  ),
  plant(engine, "services/alpha/src/read-models/documents.ts", 'import "mongodb";'),
  plant(engine, "services/alpha/src/reactions/produce.ts", 'import "kafkajs";'),
  plant(door, "services/alpha/src/commands/read.ts", 'import "node:fs";'),
  plant(door, "services/alpha/src/commands/promise.ts", 'import "node:fs/promises";'),
  plant(door, "services/alpha/src/read-models/ask.ts", 'import "node:http";'),
  plant(door, "services/alpha/src/reactions/dial.ts", 'import "net";'),
  plant(door, "services/alpha/src/reactions/spawn.ts", 'import "node:child_process";'),
  plant("every import resolves", "gateway/src/lost.ts", 'import "@tributary/nobody/there";'),
  plant("every import resolves", "gateway/src/mistyped.ts", 'import "./ap.ts";'),
  plant(
    "no circles",
    "gateway/src/hen.ts",
    'import { egg } from "./egg.ts";',
    "export const hen = () => egg;",
  ),
  plant(
    "no circles",
    "gateway/src/egg.ts",
    'import { hen } from "./hen.ts";',
    "export const egg = () => hen;",
  ),
  plant("no development package in what runs", "gateway/src/draws.ts", 'import "pencil";'),
  plant("every package is declared where it is used", "gateway/src/borrows.ts", 'import "undeclared";'),
];

async function violations(tree: ScratchTree): Promise<Violation[]> {
  const parts = ["contracts", "services", "gateway", "web/src", "deploy"];
  const args = ["--config", ".dependency-cruiser.cjs", "--output-type", "json", ...parts];
  return JSON.parse(await runIn(tree, "dependency-cruiser/bin/dependency-cruise.mjs", args)).summary
    .violations;
}

let tree: ScratchTree;
beforeAll(() => {
  tree = scratchTree();
});
afterAll(() => tree.remove());

test("a tree in which every part keeps to its own passes", async () => {
  expect(await violations(tree)).toEqual([]);
});

describe("what breaks a rule is found:", () => {
  let found: Violation[];
  beforeAll(async () => {
    tree.write(Object.fromEntries(plants.map(({ file, content }) => [file, content])));
    found = await violations(tree);
  });

  test.each(plants)("$rule ($file)", ({ rule, file }) => {
    const here = found.filter(({ from, cycle }) => from === file || cycle?.some(({ name }) => name === file));
    expect(here.map(({ rule: { name } }) => name)).toContain(rule);
  });

  test("and every rule has been seen to bite", () => {
    const rules: { forbidden: { name: string }[] } = createRequire(import.meta.url)(
      "../../.dependency-cruiser.cjs",
    );
    const names = rules.forbidden.map(({ name }) => name);
    expect(names.filter((name) => !found.some(({ rule }) => rule.name === name))).toEqual([]);
  });
});
