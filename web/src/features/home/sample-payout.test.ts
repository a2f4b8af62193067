import { expect, test } from "vitest";
import { samplePayout } from "./sample-payout.ts";

/** Ten-thousandths of a dollar, from text such as "−4.2750" or "$39.04". */
function exact(text: string): bigint {
  const [dollars = "", fraction = ""] = text.replace("−", "-").replace("$", "").split(".");
  const digits = BigInt(dollars + fraction.padEnd(4, "0"));
  return digits;
}

test("every sale of the sample earns its price times its rate, to the ten-thousandth", () => {
  for (const { formula, earned } of samplePayout.sales) {
    const [price = "", rate = ""] = formula.split(" × ");
    expect(exact(price) * BigInt(rate.replace("%", "")), formula).toBe(exact(earned) * 100n);
  }
});

test("the sample adds up: sales to the sum, sum and rounding to the payout, nothing unexplained", () => {
  const earned = samplePayout.sales.reduce((sum, sale) => sum + exact(sale.earned), 0n);

  expect(earned).toBe(exact(samplePayout.sum));
  expect(earned + exact(samplePayout.rounding)).toBe(exact(samplePayout.paid));
  expect(exact(samplePayout.unexplained)).toBe(0n);
});
