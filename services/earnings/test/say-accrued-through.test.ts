import { asDay } from "@tributary/contracts/dates";
import { SyncCompleted } from "@tributary/contracts/events/attribution";
import { AccruedThrough } from "@tributary/contracts/events/earnings";
import type { Addressed, Deciding, NotYet } from "@tributary/runtime/decision";
import type { Progress } from "@tributary/runtime/progress";
import { evolve, type Stream } from "@tributary/runtime/stream";
import { expect, test } from "vitest";
import { type Accrual, accrual } from "../src/accrual.ts";
import { sayAccruedThrough } from "../src/reactions/say-accrued-through.ts";
import { recorded } from "./world.ts";

const at = (sequence: number) => Array<number>(16).fill(sequence);
const pull = (through: string, heads = at(10), outcome: "complete" | "disconnected" = "complete") =>
  SyncCompleted({ brand_id: "acme", through: asDay(through), heads, outcome });

/** What is said of a pull, when the reader of sales stands there, holds these and this was said before. */
function say(
  completed: ReturnType<typeof pull>,
  { position = at(10), held = [] as Progress["held"], said = accrual.initial } = {},
) {
  const outcome = sayAccruedThrough.decide(
    recorded({}, "sync/acme", completed) as never,
    { accrued: { position, held }, said } as never,
    { heads: at(7) } as unknown as Deciding,
  );
  if ("kind" in outcome) return (outcome as NotYet).cause;
  return (outcome as Addressed[]).flatMap(({ stream, events }) =>
    events.map(({ type, json }) => ({ stream, type, ...(json as object) })),
  );
}

const after = (...pulls: ReturnType<typeof pull>[]): Accrual =>
  pulls.reduce((state, { data }) => {
    const told = AccruedThrough({ ...data, heads: at(7), synced: data.heads });
    return evolve(accrual as Stream<Accrual>, state, recorded({}, "accrual/acme", told));
  }, accrual.initial);

test("a pull whose sales are all decided is said to be accrued, with the heads of earnings' own log", () => {
  expect(say(pull("2026-01-31"))).toEqual([
    {
      stream: "accrual/acme",
      type: "AccruedThrough",
      brand_id: "acme",
      through: "2026-01-31",
      heads: at(7),
      synced: at(10),
      outcome: "complete",
    },
  ]);
});

test("while one partition of the sales is still unheard, nothing is said", () => {
  const position = at(10).with(15, 9);
  expect(say(pull("2026-01-31"), { position })).toMatch(/has not yet heard all that the pull of 2026-01-31/);
});

test("while sales of the brand are held, nothing is said; those of another brand don't matter", () => {
  const held = (tenant: string) => [{ tenant, stream: "metric/1", cause: "the partnership is not known" }];
  expect(say(pull("2026-01-31"), { held: held("acme") })).toBe("sales of the brand acme are held");
  expect(say(pull("2026-01-31"), { held: held("globex") })).toHaveLength(1);
});

test("a brand that is disconnected is complete too, and said to be disconnected", () => {
  expect(say(pull("2026-01-31", at(10), "disconnected"))).toMatchObject([{ outcome: "disconnected" }]);
});

test("pulls heard a second time say nothing again, later ones of the same day do when they showed more", () => {
  const said = after(pull("2026-01-30"), pull("2026-01-31", at(12)));
  expect(say(pull("2026-01-30"), { said })).toEqual([]);
  expect(say(pull("2026-01-30", at(13)), { said, position: at(13) })).toEqual([]);
  expect(say(pull("2026-01-31", at(11)), { said })).toEqual([]);
  expect(say(pull("2026-01-31", at(12)), { said })).toEqual([]);
  expect(say(pull("2026-01-31", at(12).with(3, 13)), { said, position: at(13) })).toHaveLength(1);
  expect(say(pull("2026-02-01", at(12)), { said, position: at(13) })).toHaveLength(1);
});
