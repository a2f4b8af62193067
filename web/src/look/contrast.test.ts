// @vitest-environment node
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";

test("every colour pair of the look can be read, in both themes and with any colour sight", () => {
  const proof = execFileSync(process.execPath, [join(import.meta.dirname, "contrast.mjs"), "--failures"]);

  expect(proof.toString()).toContain("0 below their bound; all pass");
});
