import { addDays, asDay } from "@tributary/contracts/dates";
import { asCents, formatCents, formatE4 } from "@tributary/contracts/money";
import { expect, test } from "vitest";
import {
  agreed,
  agreementCancelled,
  basedOn,
  changeCancelled,
  changed,
  ended,
  joined,
  listed,
  metricStream,
  type Row,
  sales,
} from "./sample.ts";
import { dayStreams, recorded, World } from "./world.ts";

const inForceFrom = (percent: number) => new World().hear("product/mug", listed(percent)).begin("2026-04-30");
const withAna = (percent = 20, started_on = "2026-01-02") =>
  inForceFrom(percent).hear("partnership/ana", joined("ana", started_on));
/** Bo came through ana, who is to have 5 % of his sales. */
const withBoByAna = () =>
  withAna().hear(
    "partnership/bo",
    joined("bo", "2026-01-05", { referrer_creator_id: "ana", referral_percent: 5 }),
  );

const report = (world: World, ...rows: Row[]) => {
  for (const row of rows) world.hear(metricStream(row.date, row.link), sales(row));
  return told(world);
};

/** What was told, in short: type, who, how much. */
function told(world: World) {
  return world.told.map(({ type, data }) => {
    const { creator_id, earning_type, amount, delta, commission_rate, reported_sales_amount } = data as never;
    const money = type === "EarningAdjusted" ? delta : amount;
    if (money === undefined)
      return [type, ...(reported_sales_amount === undefined ? [] : [formatCents(reported_sales_amount)])];
    return [type, earning_type, creator_id, commission_rate, formatE4(money)];
  });
}

test("sales through a creator's link earn the percent in force on their day: 120.50 x 25 % = 30.1250", () => {
  expect(report(withAna(25), { date: "2026-01-18", total: "120.50" })).toEqual([
    ["EarningAccrued", "commission", "ana", 25, "30.1250"],
  ]);
});

test("a brand that pays on promoted sales leaves the halo out: 100.00 of 120.50 x 20 % = 20.0000", () => {
  const world = inForceFrom(20).hear("p", joined("ana", "2026-01-02", { commission_base: "promoted" }));
  expect(report(world, { date: "2026-01-18", total: "120.50", promoted: "100.00" })).toEqual([
    ["EarningAccrued", "commission", "ana", 20, "20.0000"],
  ]);
});

test("another commission base holds from its day on, and not before", () => {
  const world = withAna().hear("program/acme", basedOn("promoted", "2026-01-19"));
  const row = { total: "120.50", promoted: "100.00" };
  expect(report(world, { date: "2026-01-18", ...row }, { date: "2026-01-19", ...row })).toEqual([
    ["EarningAccrued", "commission", "ana", 20, "24.1000"],
    ["EarningAccrued", "commission", "ana", 20, "20.0000"],
  ]);
});

test("a base set anew cancels the one that was still to begin", () => {
  const world = withAna()
    .hear("program/acme", basedOn("promoted", "2026-01-24"))
    .hear("program/acme", basedOn("total", "2026-01-12"));
  expect(report(world, { date: "2026-01-30", total: "2.00", promoted: "1.00" })).toEqual([
    ["EarningAccrued", "commission", "ana", 20, "0.4000"],
  ]);
});

test("float noise of the report was rounded once, half away from zero, before it earns: 191.96 x 20 % = 38.3920", () => {
  expect(report(withAna(), { date: "2026-01-18", total: "191.95999999999998" })).toEqual([
    ["EarningAccrued", "commission", "ana", 20, "38.3920"],
  ]);
});

test("a raise counts from its day on for all creators, and a cut that was cancelled never", () => {
  const world = withAna()
    .hear("product/mug", changed(25, "2026-01-10", "2026-01-11"))
    .hear("product/mug", changed(10, "2026-01-12", "2026-01-26"))
    .hear("product/mug", changeCancelled("2026-01-20"));
  expect(
    report(
      world,
      { date: "2026-01-10", total: "100.00" },
      { date: "2026-01-11", total: "100.00" },
      { date: "2026-01-26", total: "100.00" },
    ).map(([, , , percent]) => percent),
  ).toEqual([20, 25, 25]);
});

test("a private fee goes before the product's from its day on, lower or higher, and its scope is its own", () => {
  const world = withAna()
    .hear("creator-product/1", agreed("ana", 30, "2026-01-09", "2026-01-10"))
    .hear("product/mug", changed(40, "2026-01-14", "2026-01-15"))
    .hear("creator-product/1", agreed("ana", 12, "2026-01-16", "2026-01-30"))
    .hear("creator-product/1", agreementCancelled("ana", "2026-01-16"));
  expect(
    ["2026-01-09", "2026-01-10", "2026-01-20", "2026-01-30"].map(
      (date) => report(world, { date, total: "1.00" }).at(-1)?.[3],
    ),
  ).toEqual([20, 30, 30, 30]);
});

test("an accrual tells which version of the fee it was: whose, from when and set by whom", () => {
  const world = withAna().hear("creator-product/1", agreed("ana", 30, "2026-01-19", "2026-01-20"));
  report(world, { date: "2026-01-19", total: "1.00" }, { date: "2026-01-20", total: "1.00" });
  expect(world.told.map(({ data }) => (data as { rate: unknown }).rate)).toEqual([
    { scope: "product", effective_from: null, set_by: null },
    { scope: "private", effective_from: "2026-01-20", set_by: "brand-user" },
  ]);
});

test("the day of joining earns, the day before is ignored for good", () => {
  const world = withAna(20, "2026-01-10");
  expect(
    report(
      world,
      { date: "2026-01-09", total: "50.00" },
      { date: "2026-01-10", total: "50.00" },
      { date: "2026-01-09", total: "70.00", revision: 2 },
    ),
  ).toEqual([["EarningAccrued", "commission", "ana", 20, "10.0000"]]);
  expect(world.waiting).toEqual([]);
});

test("sales up to the 14th day after the end still earn, those of the 15th don't", () => {
  const world = withAna().hear("partnership/ana", ended("ana", "2026-02-01"));
  expect(
    report(world, { date: "2026-02-15", total: "10.00" }, { date: "2026-02-16", total: "10.00" }),
  ).toEqual([["EarningAccrued", "commission", "ana", 20, "2.0000"]]);
});

test("rows of zero begin nothing, and the first base above zero accrues however late it shows", () => {
  const world = withAna();
  expect(
    report(
      world,
      { date: "2026-01-18", total: "0" },
      { date: "2026-01-18", total: "0.00", revision: 2 },
      { date: "2026-01-18", total: "5.00", revision: 3, synced_on: "2026-04-30" },
    ),
  ).toEqual([["EarningAccrued", "commission", "ana", 20, "1.0000"]]);
});

test("who referred the creator earns on the same base, on top: 80.00 x 20 % = 16.0000 and x 5 % = 4.0000", () => {
  expect(report(withBoByAna(), { date: "2026-01-18", total: "80.00", creator: "bo" })).toEqual([
    ["EarningAccrued", "commission", "bo", 20, "16.0000"],
    ["EarningAccrued", "referral", "ana", 5, "4.0000"],
  ]);
});

test("a referral earning names whose sales they were and the referrer's own partnership", () => {
  const world = withBoByAna();
  report(world, { date: "2026-01-18", total: "80.00", creator: "bo" });
  const [commission, referral] = world.told.map(({ data }) => data) as Record<string, unknown>[];
  expect(referral).toMatchObject({ creator_id: "ana", referred_creator_id: "bo", earning_type: "referral" });
  expect(commission).toMatchObject({ creator_id: "bo", referred_creator_id: null });
  expect(referral?.partnership_id).not.toBe(commission?.partnership_id);
});

test("one level only: who referred the referrer earns nothing", () => {
  const world = withBoByAna().hear(
    "partnership/cy",
    joined("cy", "2026-01-06", { referrer_creator_id: "bo", referral_percent: 7 }),
  );
  expect(
    report(world, { date: "2026-01-18", total: "10.00", creator: "cy" }).map(([, , who]) => who),
  ).toEqual(["cy", "bo"]);
});

test("a referrer whose own partnership ended earns on the sales of 14 more days, no longer", () => {
  const world = withBoByAna().hear("partnership/ana", ended("ana", "2026-02-01"));
  const bo = { creator: "bo", total: "100.00" };
  expect(report(world, { date: "2026-02-15", ...bo }, { date: "2026-02-16", ...bo })).toEqual([
    ["EarningAccrued", "commission", "bo", 20, "20.0000"],
    ["EarningAccrued", "referral", "ana", 5, "5.0000"],
    ["EarningAccrued", "commission", "bo", 20, "20.0000"],
  ]);
});

test("a restatement moves both earnings by the difference, down to zero and up again, at the percents of the first accrual", () => {
  const world = withBoByAna();
  const row = { date: "2026-01-18", creator: "bo" };
  report(world, { ...row, total: "80.00" });
  world
    .hear("product/mug", changed(90, "2026-01-10", "2026-01-11"))
    .hear("partnership/bo", ended("bo", "2026-01-20"))
    .hear("partnership/ana", ended("ana", "2026-01-01"));
  expect(
    report(
      world,
      { ...row, total: "50.00", revision: 2 },
      { ...row, total: "0.00", revision: 3 },
      { ...row, total: "60.01", revision: 4 },
    ).slice(2),
  ).toEqual([
    ["EarningAdjusted", "commission", "bo", 20, "-6.0000"], // -30.00 x 20 %
    ["EarningAdjusted", "referral", "ana", 5, "-1.5000"], // -30.00 x 5 %
    ["EarningAdjusted", "commission", "bo", 20, "-10.0000"], // -50.00 x 20 %
    ["EarningAdjusted", "referral", "ana", 5, "-2.5000"], // -50.00 x 5 %
    ["EarningAdjusted", "commission", "bo", 20, "12.0020"], // 60.01 x 20 %
    ["EarningAdjusted", "referral", "ana", 5, "3.0005"], // 60.01 x 5 %
  ]);
  expect(world.told.at(-1)?.data).toMatchObject({ from_revision: 3, to_revision: 4, amount: 30005n });
});

test("a referral earning that there wasn't at the first accrual does not come with a restatement", () => {
  const world = withBoByAna().hear("partnership/ana", ended("ana", "2026-01-10"));
  const row = { date: "2026-01-25", creator: "bo" };
  expect(report(world, { ...row, total: "80.00" }, { ...row, total: "90.00", revision: 2 })).toEqual([
    ["EarningAccrued", "commission", "bo", 20, "16.0000"],
    ["EarningAdjusted", "commission", "bo", 20, "2.0000"],
  ]);
});

test("a restatement on the 60th day is accepted, on the 61st it is refused and the accrued base stays", () => {
  const [date, day] = ["2026-01-18", asDay("2026-01-18")];
  const world = withAna();
  expect(
    report(
      world,
      { date, total: "100.00" },
      { date, total: "90.00", revision: 2, synced_on: addDays(day, 60) },
      { date, total: "80.00", revision: 3, synced_on: addDays(day, 61) },
      { date, total: "85.00", revision: 4, synced_on: addDays(day, 62) },
    ).slice(1),
  ).toEqual([
    ["EarningAdjusted", "commission", "ana", 20, "-2.0000"],
    ["RestatementRefused", "80.00"],
    ["RestatementRefused", "85.00"],
  ]);
  expect(world.told.at(-1)?.data).toMatchObject({ accrued_sales_amount: asCents(9000n), revision: 4 });
});

test("60 days are counted by the calendar, over the change of the clocks in March too", () => {
  const date = "2026-02-01"; // 60 days later is 2026-04-02, the clocks went forward on 8 March
  const world = withAna();
  expect(
    report(world, { date, total: "1.00" }, { date, total: "2.00", revision: 2, synced_on: "2026-04-02" }).at(
      -1,
    )?.[0],
  ).toBe("EarningAdjusted");
});

test("a refused figure that the report takes back books nothing and leaves nothing to look at", () => {
  const date = "2026-01-18";
  const world = withAna();
  expect(
    report(
      world,
      { date, total: "100.00" },
      { date, total: "80.00", revision: 2, synced_on: "2026-04-01" },
      { date, total: "80.00", promoted: "10.00", revision: 3, synced_on: "2026-04-02" },
      { date, total: "100.00", revision: 4, synced_on: "2026-04-03" },
      { date, total: "100.00", promoted: "99.00", revision: 5, synced_on: "2026-04-04" },
    ).slice(1),
  ).toEqual([["RestatementRefused", "80.00"], ["RestatementWithdrawn"]]);
});

test("a revision that leaves the base as it was moves nothing", () => {
  const world = withAna();
  expect(
    report(
      world,
      { date: "2026-01-18", total: "100.00", promoted: "80.00" },
      { date: "2026-01-18", total: "100.00", promoted: "60.00", revision: 2 },
    ),
  ).toHaveLength(1);
});

test("the same sales, heard twice, are earned once", () => {
  const world = withBoByAna();
  const row = { date: "2026-01-18", creator: "bo" };
  const rows: Row[] = [
    { ...row, total: "80.00" },
    { ...row, total: "50.00", revision: 2 },
    { ...row, total: "0", revision: 3 },
    { ...row, total: "70.00", revision: 4 },
    { ...row, total: "10.00", revision: 5, synced_on: "2026-04-30" },
  ];
  rows.forEach((row, index) => {
    report(world, row);
    const before = world.told.length;
    for (const again of rows.slice(0, index + 1))
      world.again(recorded({}, metricStream(again.date), sales(again)));
    expect(world.told).toHaveLength(before);
  });
  expect(world.told).toHaveLength(9);
});

test("sales wait until their day, or a later one, has begun in every partition of catalog and program", () => {
  const [last, ...others] = dayStreams;
  const world = new World()
    .hear("product/mug", listed(20))
    .hear("partnership/ana", joined("ana", "2026-01-02"));
  expect(report(world, { date: "2026-01-18", total: "10.00" })).toEqual([]);
  expect(world.waiting[0]?.cause).toBe("catalog has not begun 2026-01-18 in every partition");
  expect(told(world.begin("2026-01-17"))).toEqual([]);
  expect(told(world.begin("2026-01-19", [last!]))).toEqual([]);
  expect(world.begin("2026-01-18", others).waiting).toEqual([]);
  expect(told(world)).toHaveLength(1);
});

test("sales that arrive before the partnership and the fee wait for them, and are never nothing", () => {
  const world = new World().begin("2026-01-20");
  expect(report(world, { date: "2026-01-18", total: "10.00" })).toEqual([]);
  expect(world.waiting[0]?.cause).toMatch(/^the partnership .* is not known$/);
  world.hear("partnership/ana", joined("ana", "2026-01-02"));
  expect(world.waiting[0]?.cause).toBe("the fee of the product mug is not known");
  expect(told(world.hear("product/mug", listed(20)))).toEqual([
    ["EarningAccrued", "commission", "ana", 20, "2.0000"],
  ]);
});
