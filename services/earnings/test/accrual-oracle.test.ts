import { addDays, asDay, type Day } from "@tributary/contracts/dates";
import type { NewEvent } from "@tributary/contracts/event";
import { DayBegan } from "@tributary/contracts/events/day";
import { feeAfterRequest, inForce } from "@tributary/contracts/fees";
import { creatorProductId, partnershipId } from "@tributary/contracts/ids";
import fc from "fast-check";
import { expect, test } from "vitest";
import { privateFee, productFee } from "../src/facts/agreements.ts";
import { interleaved } from "./interleaved.ts";
import {
  agreed,
  agreementCancelled,
  brand,
  changeCancelled,
  changed,
  ended,
  joined,
  listed,
  metricStream,
  product,
  sales,
} from "./sample.ts";
import { dayStreams, recorded, World } from "./world.ts";

const START = asDay("2025-12-20"); // so that the run meets the end of a year and, in March, the change of the clocks
const DAYS = 110;
const dayOf = (index: number): Day => addDays(START, index);

/** Ana joins on day 0, bo later, perhaps through ana; then fees are asked for, partnerships end, reports come in. */
interface Story {
  percent: number;
  base: "total" | "promoted";
  bo_joins: number;
  referral: number | null;
  ends: { ana: number | null; bo: number | null };
  fees: { on: number; creator: "ana" | "bo" | null; percent: number }[];
  reports: { on: number; creator: "ana" | "bo"; date: number; promoted: number; halo: number }[];
}

const stories: fc.Arbitrary<Story> = fc
  .record({
    percent: fc.integer({ min: 1, max: 100 }),
    base: fc.constantFrom("total" as const, "promoted" as const),
    bo_joins: fc.integer({ min: 0, max: 9 }),
    referral: fc.option(fc.integer({ min: 1, max: 100 })),
    ends: fc.record({
      ana: fc.option(fc.integer({ min: 9, max: 60 })),
      bo: fc.option(fc.integer({ min: 9, max: 60 })),
    }),
    fees: fc.array(
      fc.record({
        on: fc.integer({ min: 0, max: 60 }),
        creator: fc.constantFrom("ana" as const, "bo" as const, null),
        percent: fc.constantFrom(10, 15, 20, 25, 30),
      }),
      { maxLength: 12 },
    ),
    reports: fc.array(
      fc.record({
        creator: fc.constantFrom("ana" as const, "bo" as const),
        date: fc.integer({ min: 0, max: 40 }),
        lag: fc.oneof(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 58, max: 63 })),
        promoted: fc.constantFrom(0, 0, 1, 333, 10_000),
        halo: fc.constantFrom(0, 0, 7, 2_050),
      }),
      { minLength: 1, maxLength: 25 },
    ),
  })
  .map(({ reports, ...story }) => ({
    ...story,
    fees: story.fees.toSorted((a, b) => a.on - b.on),
    reports: reports
      .map(({ lag, ...report }) => {
        const on = Math.max(report.date + lag, story.bo_joins);
        return { ...report, on };
      })
      .toSorted((a, b) => a.on - b.on),
  }));

/** What each (creator, date) has earned in the end, in ten-thousandths, and what waits for review, in cents. */
type Result = Record<string, { commission: bigint; referral: bigint | null; review: bigint | null }>;

/** The rules of the scenario page once more, as a plain loop over days, without events. */
function byHand(story: Story): Result {
  const productPercent: number[] = Array(DAYS).fill(story.percent);
  const privatePercent = { ana: Array(DAYS).fill(null), bo: Array(DAYS).fill(null) } as Record<
    "ana" | "bo",
    (number | null)[]
  >;
  const joins = { ana: 0, bo: story.bo_joins };
  const shown = new Map<string, { creator: "ana" | "bo"; date: number; base: number }>();
  const booked = new Map<
    string,
    { base: number; percent: number; referral: number | null; review: number | null }
  >();
  const ignored = new Set<string>();

  for (let today = 0; today < DAYS; today++) {
    for (const { creator, percent } of story.fees.filter(({ on }) => on === today)) {
      const scope: (number | null)[] = creator ? privatePercent[creator] : productPercent;
      const current = scope[today] ?? productPercent[today]!;
      for (let d = today + 1; d < DAYS; d++) scope[d] = scope[today]!;
      const from = percent > current ? today + 1 : percent < current ? today + 14 : DAYS;
      for (let d = from; d < DAYS; d++) scope[d] = percent;
    }
    for (const { creator, date, promoted, halo } of story.reports.filter(({ on }) => on === today))
      shown.set(`${creator} ${date}`, {
        creator,
        date,
        base: story.base === "total" ? promoted + halo : promoted,
      });
    for (const [key, { creator, date, base }] of shown) {
      const known = booked.get(key);
      const hasEnded = (who: "ana" | "bo") => {
        const end = story.ends[who];
        return end !== null && end <= today && date > end + 14;
      };
      if (!known) {
        if (base === 0 || ignored.has(key)) continue;
        if (date < joins[creator] || hasEnded(creator)) {
          ignored.add(key);
          continue;
        }
        booked.set(key, {
          base,
          percent: privatePercent[creator][date] ?? productPercent[date]!,
          referral: creator === "bo" && story.referral !== null && !hasEnded("ana") ? story.referral : null,
          review: null,
        });
      } else if (today - date > 60) known.review = base === known.base ? null : base - known.base;
      else known.base = base;
    }
  }
  return Object.fromEntries(
    [...booked].map(([key, { base, percent, referral, review }]) => [
      key,
      {
        commission: BigInt(base * percent),
        referral: referral === null ? null : BigInt(base * referral),
        review: review === null ? null : BigInt(review),
      },
    ]),
  );
}

interface Told {
  stream: string;
  event: NewEvent;
}

/** The same story as the other services tell it, in the order of its days. */
function asTold(story: Story): Told[] {
  const told: Told[] = [];
  const fees = new World();
  const tell = (stream: string, event: NewEvent) => {
    told.push({ stream, event });
    if (event.owner !== "attribution") fees.hear(stream, event);
  };
  const partnership = (creator: string) => `partnership/${partnershipId(creator, brand)}`;
  const revisions = new Map<string, { revision: number; figures: string }>();

  const { ana, bo } = story.ends;
  const eventful = new Set([
    0,
    story.bo_joins,
    ana,
    bo,
    ...[...story.fees, ...story.reports].map(({ on }) => on),
  ]);

  tell(`product/${product}`, listed(story.percent));
  for (let index = 0; index < DAYS; index++) {
    const today = dayOf(index);
    if (eventful.has(index)) {
      const days = [DayBegan.catalog({ date: today }), DayBegan.program({ date: today })];
      for (const stream of dayStreams) told.push(...days.map((event) => ({ stream, event })));
    }
    if (index === 0) tell(partnership("ana"), joined("ana", today, { commission_base: story.base }));
    if (index === story.bo_joins)
      tell(
        partnership("bo"),
        joined("bo", today, {
          commission_base: story.base,
          referrer_creator_id: story.referral === null ? null : "ana",
          referral_percent: story.referral,
        }),
      );
    for (const creator of ["ana", "bo"] as const)
      if (story.ends[creator] === index) tell(partnership(creator), ended(creator, today));

    for (const { creator, percent } of story.fees.filter(({ on }) => on === index)) {
      const general = fees.known(productFee(product))!.fee!.versions;
      const whose = partnershipId(creator ?? "", brand);
      const own = fees.known(privateFee(whose, product))?.fee?.versions ?? [];
      const decision = creator
        ? feeAfterRequest(own, today, percent, inForce(general, today)!.percent)
        : feeAfterRequest(general, today, percent);
      if (decision.kind === "unchanged") continue;
      if (creator)
        tell(
          `creator-product/${creatorProductId(whose, product)}`,
          decision.kind === "agreed"
            ? agreed(creator, percent, today, decision.effective_from)
            : agreementCancelled(creator, today),
        );
      else
        tell(
          `product/${product}`,
          decision.kind === "agreed"
            ? changed(percent, today, decision.effective_from)
            : changeCancelled(today),
        );
    }

    const last = new Map<string, Story["reports"][number]>();
    for (const report of story.reports.filter(({ on }) => on === index))
      last.set(`${report.creator} ${report.date}`, report);
    for (const [key, { creator, date, promoted, halo }] of last) {
      const known = revisions.get(key) ?? { revision: 0, figures: "" };
      const figures = `${promoted} ${halo}`;
      if (figures === known.figures) continue;
      revisions.set(key, { revision: known.revision + 1, figures });
      tell(
        metricStream(dayOf(date), creator),
        sales({
          date: dayOf(date),
          link: creator,
          creator,
          promoted: (promoted / 100).toFixed(2),
          total: ((promoted + halo) / 100).toFixed(2),
          revision: known.revision + 1,
          synced_on: today,
        }),
      );
    }
  }
  return told;
}

interface Amounts {
  link_id: string;
  date: string;
  earning_type: "commission" | "referral";
  amount: bigint;
  delta: bigint;
  sales_amount: bigint;
  to_sales_amount: bigint;
  reported_sales_amount: bigint;
}

/** What the service made of it. */
function outcome(world: World): Result {
  const result: Result = {};
  const indexOf = (date: string) => (Date.parse(date) - Date.parse(START)) / 86_400_000;
  const base = new Map<string, bigint>();
  for (const { type, data } of world.told) {
    const event = data as Amounts;
    const key = `${event.link_id} ${indexOf(event.date)}`;
    const line = result[key] ?? { commission: 0n, referral: null, review: null };
    result[key] = line;
    if (type === "EarningAccrued" || type === "EarningAdjusted") {
      const moved = type === "EarningAccrued" ? event.amount : event.delta;
      if (event.earning_type === "commission") line.commission += moved;
      else line.referral = (line.referral ?? 0n) + moved;
      base.set(key, type === "EarningAccrued" ? event.sales_amount : event.to_sales_amount);
    } else if (type === "RestatementRefused") line.review = event.reported_sales_amount - base.get(key)!;
    else line.review = null;
  }
  return result;
}

test("whatever is asked for, restated and ended: what is accrued is what the rules give, worked out by hand", () => {
  fc.assert(
    fc.property(stories, (story) => {
      const world = new World();
      for (const { stream, event } of asTold(story)) world.hear(stream, event);
      expect(world.waiting).toEqual([]);
      expect(outcome(world)).toEqual(byHand(story));
    }),
    { numRuns: 300 },
  );
});

test("however the logs of three services are interleaved, the same is accrued, event by event", () => {
  fc.assert(
    fc.property(stories, fc.infiniteStream(fc.nat()), (story, choices) => {
      const straight = new World();
      const told = asTold(story);
      const world = {};
      for (const { stream, event } of told) straight.hear(stream, event);
      const shuffled = new World();
      for (const event of interleaved(
        told.map(({ stream, event }) => recorded(world, stream, event)),
        ({ source, partition }) => `${source} ${partition}`,
        choices,
      ))
        shuffled.take(event);
      const byStream = ({ told }: World) =>
        told
          .map(({ json }) => json as { metric_id: string })
          .toSorted((a, b) => (a.metric_id < b.metric_id ? -1 : a.metric_id > b.metric_id ? 1 : 0));
      expect(shuffled.waiting).toEqual([]);
      expect(byStream(shuffled)).toEqual(byStream(straight));
    }),
    { numRuns: 40 },
  );
});
