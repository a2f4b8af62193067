import type { Reporter, SerializedError, TestCase, TestModule } from "vitest/node";

/**
 * The last words of a run: what was not run and why, then `N passed, N failed` alone on a line. A file that could not be
 * loaded and an error outside any test count as failed.
 */
export default class ClosingLines implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], stray: readonly SerializedError[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const passed = tests.filter((test) => test.result().state === "passed").length;
    const failed = tests.filter((test) => test.result().state === "failed").length;
    const broken = modules.filter((module) => module.errors().length > 0).length;
    const skipped = tests.filter((test) => ["skipped", "pending"].includes(test.result().state));
    const lines = [
      "",
      ...(skipped.length > 0 ? ["Not run:", ...skipped.map(notRun)] : []),
      `${passed} passed, ${failed + broken + stray.length} failed`,
    ];
    process.stdout.write(`${lines.join("\n")}\n`);
  }
}

function notRun(test: TestCase): string {
  const result = test.result();
  const reason = result.state === "skipped" && result.note ? result.note : "no reason was given";
  return `  ${test.module.relativeModuleId}: ${test.fullName} (${reason})`;
}
