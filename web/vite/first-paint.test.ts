// @vitest-environment node
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build, type Rolldown } from "vite";
import { beforeAll, expect, test, vi } from "vitest";

let files: Map<string, string | Uint8Array>;
let html: string;

beforeAll(async () => {
  vi.stubEnv("NODE_ENV", "production");
  const built = (await build({
    configFile: join(import.meta.dirname, "../vite.config.ts"),
    logLevel: "error",
    build: { write: false },
  })) as Rolldown.RolldownOutput;
  files = new Map(
    built.output.map((file) => [file.fileName, file.type === "chunk" ? file.code : file.source]),
  );
  html = String(files.get("index.html"));
});

const attributes = (tag: string) =>
  [...html.matchAll(new RegExp(`<${tag}\\b[^>]*>`, "g"))].map(([whole]) => whole);

test("the page holds under a policy that allows its own files only: nothing inline, nothing from elsewhere", () => {
  for (const script of html.matchAll(/<script\b([^>]*)>([^<]*)<\/script>/g)) {
    expect(script[1]).toMatch(/ src="\/assets\//);
    expect(script[2]).toBe("");
  }
  expect(html).not.toMatch(/<style|\sstyle=|\son\w+=|https?:|data:/);
  for (const [name, content] of files)
    if (/\.(js|css)$/.test(name)) expect(String(content)).not.toMatch(/data:(image|font)/);
});

test("the theme is set before any other script or style is waited for", () => {
  const order = [...html.matchAll(/\/assets\/([\w-]+?)-[\w-]{8}\.(?:js|css)/g)].map(([, name]) => name);

  expect(order[0]).toBe("theme-before-paint");
  expect(attributes("script")[0]).not.toMatch(/type="module"|async|defer/);
});

test("every file but the page itself has the hash of its content in its name", () => {
  for (const name of files.keys())
    if (name !== "index.html" && name !== ".vite/manifest.json")
      expect(name).toMatch(/^assets\/[\w-]+-[\w-]{8}\.(js|css|svg|woff2)$/);
});

test("one font file is fetched early, and it is the Latin one", () => {
  expect([...files.keys()].filter((name) => name.endsWith(".woff2"))).toHaveLength(1);
  expect(
    attributes("link")
      .filter((link) => link.includes('as="font"'))
      .join(),
  ).toContain("inter-latin");
});

test("the code of the home page stays under 120 kB before it shows itself and under 130 kB in all", () => {
  const size = (names: string[]) =>
    names.reduce((sum, name) => sum + gzipSync(String(files.get(name))).length, 0);
  const first = [...html.matchAll(/\/(assets\/[\w-]+\.js)/g)].map(([, name]) => String(name));
  const all = [...files.keys()].filter((name) => name.endsWith(".js") && !name.includes("not-found"));

  expect(size(first)).toBeLessThan(120_000);
  expect(size(all)).toBeLessThan(130_000);
});
