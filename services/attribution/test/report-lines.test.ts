import { formatCents } from "@tributary/contracts/money";
import fc from "fast-check";
import { expect, test } from "vitest";
import { addFigures, figuresHash, isEmpty, PerformanceLine } from "../src/amazon/report-lines.ts";

const row = {
  date: "20260118",
  adGroupId: "aB3dE5gH7j",
  "Click-throughs": "20",
  attributedSales14d: "100",
  totalAttributedSales14d: "191.95999999999998",
};
const line = (more: object) => PerformanceLine.parse({ ...row, ...more });

test("float noise of the retailer is rounded once, from the text as written", () => {
  expect(formatCents(line({}).figures.total_attributed_sales_14d)).toBe("191.96");
  expect(formatCents(line({ brb_bonus_amount: "14.280000000000001" }).figures.brb_bonus_amount!)).toBe(
    "14.28",
  );
  expect(formatCents(line({ totalAttributedSales14d: "0.005" }).figures.total_attributed_sales_14d)).toBe(
    "0.01",
  );
});

test("any amount keeps its cents exactly, however large", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 24n }), (cents) => {
      const text = `${cents / 100n}.${String(cents % 100n).padStart(2, "0")}`;
      expect(line({ attributedSales14d: text }).figures.attributed_sales_14d).toBe(cents);
    }),
  );
});

test("what is no decimal text is an error and never nothing", () => {
  for (const attributedSales14d of ["1e3", "12,50", "NaN", " 1"])
    expect(() => line({ attributedSales14d })).toThrow("no decimal text");
  expect(() => line({ "Click-throughs": "many" })).toThrow("whole number");
});

test("numbers may come as text or as numbers, ids under either spelling, and the bonus may be missing", () => {
  expect(line({ "Click-throughs": 20, totalAttributedSales14d: 191.96 })).toEqual(line({}));
  expect(line({ adGroupId: undefined, adgroupId: "other" }).adgroup_id).toBe("other");
  expect(line({ adGroupId: null }).adgroup_id).toBeNull();
  expect(line({}).figures.brb_bonus_amount).toBeNull();
  expect(line({}).date).toBe("2026-01-18");
});

test("two rows that say the same have the same hash, and any other figure another", () => {
  const figures = line({}).figures;
  expect(figuresHash(line({ totalAttributedSales14d: "191.96", "Click-throughs": 20 }).figures)).toBe(
    figuresHash(figures),
  );
  for (const field of Object.keys(figures) as (keyof typeof figures)[]) {
    const other = typeof figures[field] === "bigint" || figures[field] === null ? 7n : 7;
    expect(figuresHash({ ...figures, [field]: other } as never)).not.toBe(figuresHash(figures));
  }
});

test("only a row without anything is empty", () => {
  const nothing = line({
    "Click-throughs": "0",
    attributedSales14d: "0",
    totalAttributedSales14d: "0.00",
  }).figures;
  expect(isEmpty(nothing)).toBe(true);
  expect(isEmpty({ ...nothing, click_throughs: 1 })).toBe(false);
  expect(isEmpty({ ...nothing, total_attributed_sales_14d: 1n as never })).toBe(false);
  expect(addFigures(nothing, line({}).figures)).toEqual(line({}).figures);
});
