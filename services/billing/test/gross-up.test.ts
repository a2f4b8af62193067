import { asCents } from "@tributary/contracts/money";
import { expect, test } from "vitest";
import { grossUp, processingFee } from "../src/gross-up.ts";

const cents = (amount: number) => asCents(BigInt(amount));

test.each([
  ["card", 3013, 3134, 121],
  ["card", 1000, 1061, 61],
  ["card", 10000, 10330, 330],
  ["card", 100000, 103017, 3017],
  ["us_bank_account", 1000, 1008, 8],
  ["us_bank_account", 10000, 10081, 81],
  ["us_bank_account", 100000, 100500, 500],
] as const)("by %s, %i cents need %i, of which %i are the fee", (by, net, gross, fee) => {
  expect(grossUp(cents(net), by, "all")).toBe(cents(gross));
  expect(processingFee(cents(gross), by)).toBe(cents(fee));
});

test("a cent less would not do: the smallest gross is found for every amount up to 700 dollars", () => {
  for (const by of ["card", "us_bank_account"] as const) {
    for (let net = 50n; net < 70_000n; net += 1n) {
      const gross = grossUp(asCents(net), by, "all");
      const less = asCents(gross - 1n);
      if (gross - processingFee(gross, by) < net) throw new Error(`${gross} leaves too little of ${net}`);
      if (less - processingFee(less, by) >= net) throw new Error(`${gross} is too much for ${net}`);
    }
  }
});

test("the policy says who is grossed up: cards only, all, or nobody", () => {
  expect(grossUp(cents(1000), "card", "card")).toBe(1061n);
  expect(grossUp(cents(1000), "us_bank_account", "card")).toBe(1000n);
  expect(grossUp(cents(1000), "us_bank_account", "all")).toBe(1008n);
  expect(grossUp(cents(1000), "card", "none")).toBe(1000n);
});

test("half a cent of fee is a cent: 2.9 % of 5.00 is 15", () => {
  expect(processingFee(cents(500), "card")).toBe(45n);
  expect(processingFee(cents(1250), "us_bank_account")).toBe(10n);
  expect(processingFee(cents(63), "us_bank_account")).toBe(1n);
  expect(processingFee(cents(62), "us_bank_account")).toBe(0n);
});
