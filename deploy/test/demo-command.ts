import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** What a command left behind. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** `npm run demo -- --scenario FILE --json` in a process of its own, without npm's own lines. */
export const demoOf = (file: string): Promise<Ended> =>
  new Promise((resolve) => {
    const args = ["deploy/scripts/run.mjs", "deploy/src/demo.ts", "--scenario", file, "--json"];
    const child = execFile(process.execPath, args, { cwd: root, maxBuffer: 2 ** 26 }, (_, stdout, stderr) =>
      resolve({ code: child.exitCode, stdout, stderr }),
    );
  });

/** The result that the demo prints for a scenario; throws with what it said when it didn't end well. */
export async function playedByDemo(scenario: unknown): Promise<unknown> {
  const directory = mkdtempSync(join(tmpdir(), "tributary-scenario-"));
  try {
    const file = join(directory, "scenario.json");
    writeFileSync(file, JSON.stringify(scenario));
    const { code, stdout, stderr } = await demoOf(file);
    if (code !== 0) throw new Error(`the demo ended with ${code}: ${stderr}`);
    return JSON.parse(stdout);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
