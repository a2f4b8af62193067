import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { addDays, asDay, type Day } from "../src/dates.ts";
import {
  type FeeVersion,
  feeAfterRequest,
  inForce,
  NOTICE_DAYS,
  withoutPending,
  withVersion,
} from "../src/fees.ts";

const START = asDay("2026-01-01");
const version = (percent: number, effective_from: Day | null): FeeVersion => ({
  percent,
  effective_from,
  requested_on: null,
  set_by: null,
});
const listed = [version(20, null)];

/** Asks in turn and keeps the versions as every listener keeps them. */
function ask(versions: FeeVersion[], on: Day, percent: number, otherwise?: number): FeeVersion[] {
  const decision = feeAfterRequest(versions, on, percent, otherwise);
  if (decision.kind === "unchanged") return versions;
  if (decision.kind === "cancelled") return withoutPending(versions, on);
  return withVersion(versions, { ...decision, requested_on: on, set_by: "brand" });
}
const percentOn = (versions: FeeVersion[], on: Day) => inForce(versions, on)?.percent ?? null;

const requests = fc
  .array(fc.record({ after: fc.integer({ min: 0, max: 20 }), percent: fc.integer({ min: 1, max: 100 }) }), {
    maxLength: 12,
  })
  .map((list) => {
    let on = START;
    return list.map(({ after, percent }) => {
      on = addDays(on, after);
      return { on, percent };
    });
  });

describe("a request of day c", () => {
  const c = asDay("2026-01-10");

  test("for a higher fee begins on the next day", () => {
    expect(feeAfterRequest(listed, c, 25)).toEqual({
      kind: "agreed",
      percent: 25,
      effective_from: asDay("2026-01-11"),
    });
  });

  test("for a lower fee begins fourteen days later", () => {
    expect(feeAfterRequest(listed, c, 15)).toEqual({
      kind: "agreed",
      percent: 15,
      effective_from: asDay("2026-01-24"),
    });
  });

  test("for the fee in force cancels the pending one and begins nothing", () => {
    const pending = ask(listed, asDay("2026-01-05"), 15);
    expect(feeAfterRequest(pending, c, 20)).toEqual({ kind: "cancelled" });
    expect(ask(pending, c, 20)).toEqual(listed);
    expect(feeAfterRequest(listed, c, 20)).toEqual({ kind: "unchanged" });
  });

  test("is compared with a change that begins on c itself", () => {
    const raised = ask(listed, asDay("2026-01-09"), 30);
    expect(feeAfterRequest(raised, c, 25)).toMatchObject({ effective_from: asDay("2026-01-24") });
  });

  test("is compared with what is in force, never with what is pending", () => {
    const cut = ask(listed, asDay("2026-01-09"), 10);
    expect(feeAfterRequest(cut, c, 15)).toMatchObject({ effective_from: asDay("2026-01-24") });
    expect(ask(cut, c, 15).map(({ percent }) => percent)).toEqual([20, 15]);
  });

  test("said twice on one day changes nothing the second time", () => {
    expect(feeAfterRequest(ask(listed, c, 15), c, 15)).toEqual({ kind: "unchanged" });
    expect(feeAfterRequest(ask(listed, c, 15), addDays(c, 1), 15)).toMatchObject({
      effective_from: asDay("2026-01-25"),
    });
  });

  test("for a private fee is compared with the product's percent while no private fee is in force", () => {
    expect(feeAfterRequest([], c, 20, 20)).toEqual({ kind: "unchanged" });
    expect(feeAfterRequest([], c, 30, 20)).toMatchObject({ effective_from: asDay("2026-01-11") });
    const agreed = ask([], c, 30, 20);
    expect(feeAfterRequest(agreed, c, 25, 20)).toMatchObject({ effective_from: asDay("2026-01-11") });
    expect(feeAfterRequest(agreed, asDay("2026-01-11"), 25, 20)).toMatchObject({
      effective_from: asDay("2026-01-25"),
    });
  });

  test("needs something to be compared with", () => {
    expect(() => feeAfterRequest([], c, 20)).toThrow("no fee is in force on 2026-01-10");
  });
});

describe("whatever is asked", () => {
  test("no fee of a day up to the request's changes, and none falls before fourteen days have passed", () => {
    fc.assert(
      fc.property(requests, (asked) => {
        let versions = listed;
        for (const { on, percent } of asked) {
          const next = ask(versions, on, percent);
          for (let back = 0; back < 40; back++) {
            expect(percentOn(next, addDays(on, -back))).toBe(percentOn(versions, addDays(on, -back)));
          }
          const now = percentOn(next, on)!;
          for (let ahead = 1; ahead < NOTICE_DAYS; ahead++) {
            expect(percentOn(next, addDays(on, ahead))!).toBeGreaterThanOrEqual(now);
          }
          expect(percentOn(next, addDays(on, NOTICE_DAYS))).toBe(percent);
          versions = next;
        }
      }),
    );
  });

  test("at most one version is still to begin, and it is the last that was asked for", () => {
    fc.assert(
      fc.property(requests, (asked) => {
        let versions = listed;
        for (const { on, percent } of asked) {
          versions = ask(versions, on, percent);
          const pending = versions.filter(({ effective_from }) => (effective_from ?? "") > on);
          expect(pending.length).toBe(percentOn(versions, on) === percent ? 0 : 1);
        }
      }),
    );
  });

  test("the order in which the versions stand does not matter", () => {
    fc.assert(
      fc.property(requests, fc.integer({ min: 0, max: 300 }), (asked, days) => {
        const versions = asked.reduce((held, { on, percent }) => ask(held, on, percent), listed);
        const on = addDays(START, days);
        expect(percentOn([...versions].reverse(), on)).toBe(percentOn(versions, on));
      }),
    );
  });
});
