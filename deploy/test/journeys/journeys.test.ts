import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished, test } from "vitest";
import { startEight } from "../../src/eight.ts";
import { startLocal } from "../../src/local.ts";
import { freePort } from "../../src/state/free-port.ts";
import { steps } from "../../src/state/steps.ts";
import { BEGINS, roadOfOneSale } from "./road-of-one-sale.ts";

const settings = { SYNC_HOURLY: "off" };

function directory(): string {
  const made = mkdtempSync(join(tmpdir(), "tributary-journey-"));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

test("the road of one sale, in one process", async () => {
  const local = await startLocal({
    steps: steps(() => undefined),
    directory: directory(),
    port: await freePort(),
    clock: BEGINS,
    settings,
  });
  onTestFinished(() => local.stop(true));
  await roadOfOneSale(local);
}, 180_000);

test("the road of one sale, as eight processes", async () => {
  const eight = await startEight({ directory: directory(), clock: BEGINS, settings });
  onTestFinished(() => eight.stop());
  await roadOfOneSale(eight);
}, 240_000);
