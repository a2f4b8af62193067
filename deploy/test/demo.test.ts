import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { complaints } from "../src/demo/reconciliation.ts";
import { runDemo } from "../src/demo/run-demo.ts";
import { telling } from "../src/demo/telling.ts";

const SMALL = { seed: 7, brands: 2, creators: 3, days: 35 };
const MINUTES_MS = 60_000;

describe("the demo", () => {
  it("balances to the ten-thousandth, gives the same totals again, and sees a cent too much at a partner", {
    timeout: 5 * MINUTES_MS,
  }, async () => {
    const lines: string[] = [];
    const story = telling((text) => lines.push(text));
    const never = new AbortController().signal;

    const [first, tampered] = await runDemo(SMALL, story, never, async ({ partners, compare }) => {
      const untouched = await compare();
      await aCentMoreAtPaypal(partners.url);
      return [untouched, await compare()] as const;
    });
    expect(complaints(first.verdict)).toEqual([]);
    expect(first.totals.differences).toBe("0.0000");
    expect(first.totals.charges.length).toBeGreaterThan(1);
    expect(first.totals.payouts.map(({ rail }) => rail)).toEqual(
      expect.arrayContaining(["stripe", "paypal"]),
    );
    const january = first.totals.months.find(({ month }) => month === "2026-01");
    expect(january!.status).toBe("settled");
    expect(january!.lines.map(({ carried_reason }) => carried_reason)).toContain("below_minimum");
    expect(lines.join("")).toContain("2026-01 has closed and is settled");

    expect(tampered.totals.differences).toBe("0.0100");
    expect(complaints(tampered.verdict)).toEqual([expect.stringMatching(/^book PayPal, balance: /)]);

    const { stdout } = await promisify(execFile)(process.execPath, [
      "deploy/scripts/run.mjs",
      "deploy/src/demo.ts",
      "--json",
      ...Object.entries(SMALL).flatMap(([name, value]) => [`--${name}`, String(value)]),
    ]);
    expect(JSON.parse(stdout)).toEqual({ ...SMALL, ...first.totals });
  });

  it("says what is wrong with its options, and exits with 2", async () => {
    const asked = promisify(execFile)(process.execPath, [
      "deploy/scripts/run.mjs",
      "deploy/src/demo.ts",
      "--brands",
      "1",
    ]);
    await expect(asked).rejects.toMatchObject({
      code: 2,
      stdout: "",
      stderr: expect.stringContaining("--brands must be a whole number of at least 2, not 1"),
    });
  });
});

async function aCentMoreAtPaypal(url: string): Promise<void> {
  const { balance } = (await (await fetch(`${url}/_sandbox/paypal/ledger`)).json()) as { balance: string };
  const value = `${(BigInt(balance.replace(".", "")) + 1n).toString().replace(/(\d\d)$/, ".$1")}`;
  const answer = await fetch(`${url}/_sandbox/paypal/balance`, {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ value }),
  });
  expect(answer.status).toBe(200);
}
