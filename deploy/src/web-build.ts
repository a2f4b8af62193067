import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { tributaryDir } from "./state/checkout.ts";
import { readState, writeState } from "./state/state-file.ts";

type Built = { readonly of: string };
const isBuilt = (state: unknown): state is Built => typeof (state as Built | null)?.of === "string";

function* filesIn(directory: string): Generator<string> {
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    if (entry.name === "node_modules" || entry.name === "dist" || entry.name === "test") continue;
    const path = join(directory, entry.name);
    if (entry.isDirectory()) yield* filesIn(path);
    else yield path;
  }
}

/** What the web application is made of, as one hash: names, sizes and times of its sources and of the contracts it shares. */
function stateOf(root: string): string {
  const hash = createHash("sha256").update(readFileSync(join(root, "package-lock.json")));
  for (const directory of ["web", "contracts"]) {
    for (const path of [...filesIn(join(root, directory))].sort()) {
      const { size, mtimeMs } = statSync(path);
      hash.update(`${path} ${size} ${mtimeMs}\n`);
    }
  }
  return hash.digest("hex");
}

/** Builds web/dist with Vite when its sources have changed since it was last built. Throws with Vite's own words when that fails. */
export async function buildWebIfStale(root: string): Promise<void> {
  const stateFile = join(tributaryDir(), "web-build.json");
  const of = stateOf(root);
  if (existsSync(join(root, "web/dist/index.html")) && readState(stateFile, isBuilt)?.of === of) return;
  await new Promise<void>((resolve, reject) => {
    const vite = spawn(
      process.execPath,
      [join(root, "node_modules/vite/bin/vite.js"), "build", "--logLevel", "warn"],
      {
        cwd: join(root, "web"),
        stdio: ["ignore", "pipe", "pipe"],
      },
    );
    let said = "";
    for (const stream of [vite.stdout, vite.stderr]) stream.on("data", (text: Buffer) => (said += text));
    vite.on("error", reject);
    vite.on("exit", (code) =>
      code === 0 ? resolve() : reject(new Error(`the web application doesn't build:\n${said}`)),
    );
  });
  writeState(stateFile, { of });
}
