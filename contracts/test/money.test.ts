import fc from "fast-check";
import { expect, test } from "vitest";
import {
  asCents,
  asE4,
  e4,
  formatCents,
  formatE4,
  parseCents,
  parseE4,
  parseReported,
  percentOf,
  roundToCents,
} from "../src/money.ts";

const amount = fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n });

test("an amount written as text and read again is the same amount", () => {
  fc.assert(fc.property(amount, (value) => parseE4(formatE4(asE4(value))) === value));
  fc.assert(fc.property(amount, (value) => parseCents(formatCents(asCents(value))) === value));
});

test("rounding is half away from zero and the same for debts as for dues", () => {
  expect([49n, 50n, 150n, -49n, -50n, -150n].map((value) => roundToCents(asE4(value)))).toEqual([
    0n,
    1n,
    2n,
    0n,
    -1n,
    -2n,
  ]);
  fc.assert(fc.property(amount, (value) => roundToCents(asE4(-value)) === -roundToCents(asE4(value))));
  fc.assert(
    fc.property(amount, (value) => {
      const residue = roundToCents(asE4(value)) * 100n - value;
      return residue <= 50n && residue >= -50n;
    }),
  );
});

test("float noise of a report is rounded once, from the text as written", () => {
  expect(parseReported("191.95999999999998")).toBe(19196n);
  expect(parseReported("14.280000000000001")).toBe(1428n);
  expect(parseReported("0.005")).toBe(1n);
  expect(parseReported("0.00499999999999999999")).toBe(0n);
  expect(parseReported("7")).toBe(700n);
  expect(parseReported("1e3")).toBeNull();
  expect(parseReported("")).toBeNull();
});

test("cents times whole percent is exact at four decimals", () => {
  expect(formatE4(percentOf(asCents(12050n), 25))).toBe("30.1250");
});

test("money on the wire is decimal text with its column's own digits", () => {
  expect(e4.decode("30.1250")).toBe(301250n);
  expect(e4.encode(asE4(-50n))).toBe("-0.0050");
  expect(e4.safeDecode("30.125").success).toBe(false);
  expect(e4.safeDecode("abc").success).toBe(false);
});
