import { describe, expect, test } from "vitest";
import { bankMorning } from "../src/stripe/days.ts";
import { achFee, cardFee } from "../src/stripe/fees.ts";
import { MalformedName, readForm } from "../src/stripe/form.ts";
import { movement, post, sumOf } from "../src/stripe/ledger.ts";

describe("Stripe's fee", () => {
  test.each([
    [50n, 31n],
    [500n, 45n],
    [1061n, 61n],
    [10_330n, 330n],
    [103_017n, 3017n],
    [3134n, 121n],
  ])("of a card payment of %d cents is %d: 2.9 %, half a cent rounded up, plus 30", (cents, fee) => {
    expect(cardFee(cents)).toBe(fee);
  });

  test.each([
    [1008n, 8n],
    [10_081n, 81n],
    [1062n, 8n],
    [1063n, 9n],
    [312_500n, 500n],
    [62_437n, 499n],
    [62_438n, 500n],
    [62_500n, 500n],
    [100_500n, 500n],
  ])("of a bank debit of %d cents is %d: 0.8 %, never more than 5 dollars", (cents, fee) => {
    expect(achFee(cents)).toBe(fee);
  });
});

test.each([
  ["a winter night", "2026-02-03T08:05:00.000Z", 4, "2026-02-07T11:00:00.000Z"],
  ["the last minute of a day", "2026-02-04T07:59:59.000Z", 1, "2026-02-04T11:00:00.000Z"],
  ["across the spring change", "2026-03-05T12:00:00.000Z", 4, "2026-03-09T10:00:00.000Z"],
  ["onto the day of the spring change", "2026-03-04T12:00:00.000Z", 4, "2026-03-08T10:00:00.000Z"],
  ["across the autumn change", "2026-10-30T12:00:00.000Z", 4, "2026-11-03T11:00:00.000Z"],
])("banks answer at three in the morning in Los Angeles: %s", (_when, from, days, expected) => {
  expect(bankMorning(new Date(from), days).toISOString()).toBe(expected);
});

test("nested parameters and lists are read in every way the libraries write them", () => {
  expect(readForm("a=1&b[c]=2&b[d][e]=3&f[]=4&f[]=5&g[0]=6&g[1]=7&h[0][i]=8&j=")).toEqual({
    a: "1",
    b: { c: "2", d: { e: "3" } },
    f: ["4", "5"],
    g: ["6", "7"],
    h: [{ i: "8" }],
    j: "",
  });
  for (const wrong of ["a[b=1", "[a]=1", "a=1&a[b]=2"]) expect(() => readForm(wrong)).toThrow(MalformedName);
});

test("money that leaves one book arrives in another, and never runs backwards", () => {
  const balances: Record<string, string> = {};
  post(balances, movement("external", "platform", 100n, "ch_1"));
  post(balances, movement("platform", "acct_1", 70n, "tr_1"));
  expect([balances, sumOf(balances)]).toEqual([{ external: "-100", platform: "30", acct_1: "70" }, 0n]);
  expect(() => movement("platform", "fees", -1n, "ch_1")).toThrow(/runs backwards/);
});
