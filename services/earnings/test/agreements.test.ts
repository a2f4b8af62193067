import { asDay } from "@tributary/contracts/dates";
import { DayBegan } from "@tributary/contracts/events/day";
import { partnershipId } from "@tributary/contracts/ids";
import { canonical } from "@tributary/runtime/canonical";
import fc from "fast-check";
import { expect, test } from "vitest";
import { z } from "zod";
import { agreements, daysBegun, partnership, privateFee, productFee } from "../src/facts/agreements.ts";
import { hasBegun } from "../src/facts/days-begun.ts";
import { interleaved } from "./interleaved.ts";
import { agreed, basedOn, brand, changeCancelled, changed, ended, joined, listed } from "./sample.ts";
import { dayStreams, type Recorded, recorded, World } from "./world.ts";

const told = (): Recorded[] => {
  const world = {};
  const all: [string, Parameters<typeof recorded>[2]][] = [
    ["product/mug", listed(20)],
    ["product/mug", changed(30, "2026-01-04", "2026-01-05")],
    ["product/mug", changed(10, "2026-01-04", "2026-01-18")],
    ["product/mug", changeCancelled("2026-01-06")],
    ["product/cup", listed(15, "cup")],
    ["product/cup", changed(25, "2026-01-06", "2026-01-07", "cup")],
    ["product/cup", listed(15, "cup")],
    ["partnership/ana", joined("ana", "2026-01-02")],
    ["partnership/ana", ended("ana", "2026-01-09")],
    ["partnership/bo", joined("bo", "2026-01-03")],
    ["creator-product/1", agreed("ana", 33, "2026-01-04", "2026-01-05")],
    ["creator-product/1", agreed("ana", 12, "2026-01-04", "2026-01-18")],
    ["program/acme", basedOn("promoted", "2026-01-20")],
    ["program/acme", basedOn("total", "2026-01-08")],
    ...dayStreams.flatMap((stream) =>
      ["2026-01-08", "2026-01-09"].map((date): [string, Parameters<typeof recorded>[2]] => [
        stream,
        DayBegan.program({ date: asDay(date) }),
      ]),
    ),
  ];
  return all.map(([stream, event]) => recorded(world, stream, event));
};

const rows = (events: readonly Recorded[]): string => {
  const world = new World();
  for (const event of events) world.take(event);
  return canonical(world.rows().map(([key, row]) => [key, z.encode(agreements.schema, row)]));
};

test("however the streams are interleaved, the same is known to be agreed", () => {
  const events = told();
  fc.assert(
    fc.property(fc.infiniteStream(fc.nat()), (choices) => {
      const order = interleaved(events, ({ stream }) => stream, choices);
      expect(rows(order)).toBe(rows(events));
    }),
    { numRuns: 50 },
  );
});

test("of two requests of one day the later stands, a cancelled cut leaves what was in force, a product listed again its percents", () => {
  const world = new World();
  for (const event of told()) world.take(event);
  const percents = (fee: ReturnType<typeof productFee>) =>
    world.known(fee)?.fee?.versions.map(({ percent, effective_from }) => [percent, effective_from]);
  expect(percents(productFee("mug"))).toEqual([[20, null]]);
  expect(percents(productFee("cup"))).toEqual([
    [15, null],
    [25, "2026-01-07"],
  ]);
  expect(percents(privateFee(partnershipId("ana", brand), "mug"))).toEqual([[12, "2026-01-18"]]);
  expect(world.known(partnership(partnershipId("ana", brand)))?.partnership?.ended_on).toBe("2026-01-09");
});

test("a day has begun when the last partition says so, and an earlier one said later takes nothing back", () => {
  const world = new World();
  const begun = (date: string) => hasBegun(world.known(daysBegun("program"))?.days, asDay(date));
  for (const stream of dayStreams.slice(1))
    world.hear(stream, DayBegan.program({ date: asDay("2026-01-09") }));
  expect(begun("2026-01-08")).toBe(false);
  world.hear(dayStreams[0]!, DayBegan.program({ date: asDay("2026-01-08") }));
  expect([begun("2026-01-08"), begun("2026-01-09")]).toEqual([true, false]);
  for (const date of ["2026-01-09", "2026-01-08"])
    world.hear(dayStreams[0]!, DayBegan.program({ date: asDay(date) }));
  expect([begun("2026-01-09"), begun("2026-01-10")]).toEqual([true, false]);
  expect(hasBegun(world.known(daysBegun("catalog"))?.days, asDay("2026-01-01"))).toBe(false);
});
