import { expect, test } from "vitest";
import { compared, inTurns } from "../src/bench/rounds.ts";
import { asJson, asTable, atLeast, atMost, type Figure, figureOf, holds } from "../src/bench/table.ts";

const pace = (per_second: number) => ({ per_second, cpu_us: 1_000_000 / per_second });

test("the ratio is the middle of the rounds' own ratios, not the ratio of the middles", () => {
  const { ratio } = compared([100, 100, 900].map(pace), [100, 200, 1000].map(pace));
  expect(ratio).toBe(0.9);
});

test("each round begins with another side, and the first one warms up uncounted", async () => {
  const order: string[] = [];
  const side = (name: string) => async () => {
    order.push(name);
    return 1;
  };
  const paces = await inTurns({ ours: side("ours"), peer: side("peer") }, { rounds: 2, seconds: 0 });
  expect(order).toEqual(["peer", "ours", "ours", "peer", "peer", "ours"]);
  expect([paces.ours.length, paces.peer.length]).toEqual([2, 2]);
});

test("a goal holds on its bound and is missed a hair beyond it, in the table and for programs", () => {
  const figure = (ratio: number, goal: Figure["goal"]) =>
    figureOf(
      { id: "x", name: "x", unit: "ops/s", peer: "raw", ...(goal ? { goal } : {}) },
      { ours: pace(1), peer: pace(1), ratio },
    );
  expect(holds(figure(0.6, atLeast(0.6)))).toBe(true);
  expect(holds(figure(0.599, atLeast(0.6)))).toBe(false);
  expect(holds(figure(2.001, atMost(2)))).toBe(false);
  expect(holds(figure(5, undefined))).toBeNull();
  const missed = figure(0.5, atLeast(0.6));
  expect(asTable([missed]).at(-1)).toContain("MISSED");
  expect(JSON.parse(asJson([missed]))).toEqual([
    { id: "x", name: "x", value: 1, unit: "ops/s", ratio: 0.5, goal: ">= 0.6x", holds: false },
  ]);
});
