import { asDay, type Month } from "@tributary/contracts/dates";
import { asCents, asE4, formatCents, formatE4, parseCents, parseE4 } from "@tributary/contracts/money";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Closing, closeStatement, minimumWaived } from "../src/close-statement.ts";

const e4 = (text: string) => parseE4(text)!;
const line = (parts: Partial<Closing>): Closing => ({
  carried_in: e4("0.0000"),
  commission: e4("0.0000"),
  referral: e4("0.0000"),
  adjustments: e4("0.0000"),
  rail: "stripe",
  brand_can_pay: true,
  min_payout: parseCents("10.00")!,
  minimum_waived: false,
  ...parts,
});
const told = (closing: Closing) => {
  const { net, rounding, charged, carried_out, carried_reason } = closeStatement(closing);
  return [formatE4(net), formatE4(rounding), formatCents(charged), formatE4(carried_out), carried_reason];
};

describe("a statement closes by the first rule that applies", () => {
  test.each([
    [
      "30.1250 is paid as 30.13 and half a cent is owed back",
      { commission: e4("30.1250") },
      ["30.1250", "0.0050", "30.13", "-0.0050", null],
    ],
    [
      "30.1249 is paid as 30.12 and 49 ten-thousandths stay",
      { commission: e4("30.1249") },
      ["30.1249", "-0.0049", "30.12", "0.0049", null],
    ],
    [
      "all four parts make the net",
      {
        commission: e4("20.0000"),
        referral: e4("1.5000"),
        adjustments: e4("-3.2000"),
        carried_in: e4("-0.0050"),
      },
      ["18.2950", "0.0050", "18.30", "-0.0050", null],
    ],
    [
      "half a cent too much is carried as negative",
      { carried_in: e4("-0.0050") },
      ["-0.0050", "0.0000", "0.00", "-0.0050", "negative"],
    ],
    [
      "what cancels out leaves nothing and no reason",
      { commission: e4("5.0000"), adjustments: e4("-5.0000") },
      ["0.0000", "0.0000", "0.00", "0.0000", null],
    ],
    [
      "a creator without a payout method waits",
      { commission: e4("50.0000"), rail: "none" as const, brand_can_pay: false },
      ["50.0000", "0.0000", "0.00", "50.0000", "no_payout_method"],
    ],
    [
      "a brand without a payment method owes on",
      { commission: e4("0.1000"), brand_can_pay: false },
      ["0.1000", "0.0000", "0.00", "0.1000", "no_payment_method"],
    ],
    [
      "9.9949 is below ten dollars",
      { commission: e4("9.9949") },
      ["9.9949", "0.0000", "0.00", "9.9949", "below_minimum"],
    ],
    [
      "9.9950 rounds to ten dollars and is paid",
      { commission: e4("9.9950") },
      ["9.9950", "0.0050", "10.00", "-0.0050", null],
    ],
    [
      "a waived minimum pays 0.50",
      { commission: e4("0.4950"), minimum_waived: true },
      ["0.4950", "0.0050", "0.50", "-0.0050", null],
    ],
    [
      "the network's minimum is never waived",
      { commission: e4("0.4949"), minimum_waived: true },
      ["0.4949", "0.0000", "0.00", "0.4949", "below_minimum"],
    ],
    [
      "no minimum of ours still leaves the network's",
      { commission: e4("0.3000"), min_payout: asCents(0n) },
      ["0.3000", "0.0000", "0.00", "0.3000", "below_minimum"],
    ],
  ])("%s", (_, parts, expected) => {
    expect(told(line(parts))).toEqual(expected);
  });
});

describe("the minimum is waived", () => {
  const january = {
    month: "2026-01" as Month,
    closed_on: asDay("2026-02-03"),
    partnership_ended_on: null,
    months_below_minimum: 0,
  };
  test.each([
    ["not for an ordinary month", january, false],
    [
      "when the partnership ended on the day before the close",
      { ...january, partnership_ended_on: asDay("2026-02-02") },
      true,
    ],
    [
      "not when it ends on the day of the close",
      { ...january, partnership_ended_on: asDay("2026-02-03") },
      false,
    ],
    ["in a December", { ...january, month: "2026-12" as Month }, true],
    ["after three months below it", { ...january, months_below_minimum: 3 }, true],
    ["not after two", { ...january, months_below_minimum: 2 }, false],
  ])("%s", (_, of, expected) => {
    expect(minimumWaived(of)).toBe(expected);
  });
});

/** The same rule by another road: texts and half cents instead of integers of ten-thousandths. */
function oracle(closing: Closing): { charged: bigint; reason: string | null } {
  const net = [closing.carried_in, closing.commission, closing.referral, closing.adjustments].reduce(
    (a, b) => a + b,
    0n as bigint,
  );
  if (net <= 0n) return { charged: 0n, reason: net < 0n ? "negative" : null };
  if (closing.rail === "none") return { charged: 0n, reason: "no_payout_method" };
  if (!closing.brand_can_pay) return { charged: 0n, reason: "no_payment_method" };
  const digits = net.toString().padStart(3, "0");
  const cents = BigInt(digits.slice(0, -2)) + (Number(digits.at(-2)) >= 5 ? 1n : 0n);
  const least = closing.minimum_waived || closing.min_payout < 50n ? 50n : closing.min_payout;
  return cents < least ? { charged: 0n, reason: "below_minimum" } : { charged: cents, reason: null };
}

test("no ten-thousandth is made or lost, whatever the statement, and a second reckoning agrees", () => {
  const amount = fc.bigInt({ min: -300_000n, max: 300_000n }).map(asE4);
  const any = fc.record({
    carried_in: amount,
    commission: amount,
    referral: amount,
    adjustments: amount,
    rail: fc.constantFrom("stripe", "paypal", "venmo", "none"),
    brand_can_pay: fc.boolean(),
    min_payout: fc.bigInt({ min: 0n, max: 2_000n }).map(asCents),
    minimum_waived: fc.boolean(),
  });
  fc.assert(
    fc.property(any, (closing) => {
      const { net, rounding, charged, carried_out, carried_reason } = closeStatement(closing);
      expect(charged * 100n + carried_out).toBe(net);
      expect(rounding).toBe(charged === 0n ? 0n : charged * 100n - net);
      expect({ charged, reason: carried_reason }).toEqual(oracle(closing));
    }),
    { numRuns: 2_000 },
  );
});

test("over months of carrying, what was earned is what was charged and what is still carried", () => {
  const months = fc.array(fc.bigInt({ min: -20_000n, max: 150_000n }).map(asE4), {
    minLength: 1,
    maxLength: 24,
  });
  fc.assert(
    fc.property(months, (earned) => {
      let carried = asE4(0n);
      let charged = 0n;
      for (const commission of earned) {
        const closed = closeStatement(line({ carried_in: carried, commission }));
        carried = closed.carried_out;
        charged += closed.charged;
      }
      expect(charged * 100n + carried).toBe(earned.reduce((a, b) => a + b, 0n as bigint));
    }),
  );
});
