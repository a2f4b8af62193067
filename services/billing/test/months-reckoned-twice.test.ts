import { asCents, asE4, formatCents, formatE4 } from "@tributary/contracts/money";
import { as } from "@tributary/runtime/testing/harness";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  accrued,
  adjusted,
  comes,
  dayBegins,
  paidByPaypal,
  paidByStripe,
  pays,
  rests,
  story,
  through,
} from "./fixtures/money-story.ts";

const BRANDS = ["b1", "b2"];
const CREATORS = ["c1", "c2", "c3"];
const CLOSES = ["2026-02-03T08:05:00Z", "2026-03-03T08:05:00Z", "2026-04-03T07:05:00Z"];
const MONTHS = ["2026-01", "2026-02", "2026-03"];

interface Entry {
  brand: string;
  creator: string;
  /** Between which closes it is heard, and in which of the months begun by then its date lies. */
  heard: number;
  back: number;
  units: number;
  restated: number | null;
}

/** A second reckoning of the months, in plain numbers of ten-thousandths, from the wording of the rules. */
function reckoned(entries: readonly Entry[]) {
  const carried = new Map<string, number>();
  return MONTHS.map((month, at) => {
    const lines = BRANDS.flatMap((brand) =>
      CREATORS.flatMap((creator) => {
        const pair = brand + creator;
        const own = entries.filter((entry) => entry.heard === at && entry.brand + entry.creator === pair);
        const worth = (some: Entry[]) =>
          some.reduce((sum, { units, restated }) => sum + (restated ?? units), 0);
        const commission = worth(own.filter(({ back }) => back === 0));
        const adjustments = worth(own.filter(({ back }) => back > 0));
        const carriedIn = carried.get(pair) ?? 0;
        if (commission === 0 && adjustments === 0 && carriedIn === 0) return [];
        const net = commission + adjustments + carriedIn;
        const payable = Math.round(net / 100);
        const reason =
          net < 0
            ? "negative"
            : net === 0
              ? null
              : creator === "c3"
                ? "no_payout_method"
                : brand === "b2"
                  ? "no_payment_method"
                  : payable < 1000
                    ? "below_minimum"
                    : null;
        const charged = net > 0 && reason === null ? payable : 0;
        const out = net - charged * 100;
        carried.set(pair, out);
        return [
          {
            ...{ brand_id: brand, creator_id: creator },
            commission: formatE4(asE4(BigInt(commission))),
            adjustments: formatE4(asE4(BigInt(adjustments))),
            carried_in: formatE4(asE4(BigInt(carriedIn))),
            charged: formatCents(asCents(BigInt(charged))),
            carried_out: formatE4(asE4(BigInt(out))),
            carried_reason: reason,
          },
        ];
      }),
    );
    return { month, lines };
  });
}

const entry = fc.record({
  brand: fc.constantFrom(...BRANDS),
  creator: fc.constantFrom(...CREATORS),
  heard: fc.integer({ min: 0, max: 2 }),
  back: fc.integer({ min: 0, max: 2 }),
  units: fc.integer({ min: 1, max: 150_000 }),
  restated: fc.option(fc.integer({ min: -100_000, max: 150_000 }), { nil: null }),
});

test.each([1, 2, 3])(
  "three months of earnings, restatements and carries come out as reckoned by hand (seed %i)",
  async (seed) => {
    const [drawn] = fc.sample(fc.array(entry, { minLength: 10, maxLength: 40 }), { seed, numRuns: 1 });
    const entries = drawn!.filter(({ heard, back }) => back <= heard);
    const { app, stripe } = await story("2026-01-05T20:00:00Z");
    await dayBegins(app, "2026-01-05");
    await pays(app, "b1");
    await paidByStripe(app, stripe, "c1");
    await paidByPaypal(app, "c2");
    for (const [at, close] of CLOSES.entries()) {
      for (const [n, { brand, creator, heard, back, units, restated }] of entries.entries()) {
        if (heard !== at) continue;
        const date = `${MONTHS[at - back]}-04`;
        const of = { earning: `e${n}`, brand, creator, date };
        await app.hear(`earning/e${n}`, accrued({ ...of, amount: formatE4(asE4(BigInt(units))) }));
        if (restated === null) continue;
        const delta = formatE4(asE4(BigInt(restated - units)));
        await app.hear(`earning/e${n}`, adjusted({ ...of, revision: 2, amount: delta }));
      }
      for (const brand of BRANDS)
        await app.hear(`accrual/${brand}`, through(`${close.slice(0, 8)}02`, brand));
      await rests(app);
      await comes(app, `${close.slice(0, 8)}01T20:00:00Z`);
      await comes(app, close);
      await comes(app, `${close.slice(0, 8)}05T20:00:00Z`);
    }
    const { cycles } = (await app.as(as.admin()).get("/api/billing/result")).body;
    expect(cycles).toMatchObject(reckoned(entries));
    expect((await app.as(as.admin()).get("/api/billing/reconciliation")).body).toMatchObject({
      ledger_sum: "0.0000",
      difference: "0.0000",
    });
  },
);
