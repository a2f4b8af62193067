import { asDay } from "@tributary/contracts/dates";
import type { NewEvent } from "@tributary/contracts/event";
import { ProductListed } from "@tributary/contracts/events/catalog";
import { DayBegan } from "@tributary/contracts/events/day";
import { PartnershipActivated } from "@tributary/contracts/events/program";
import { asCents } from "@tributary/contracts/money";
import { earnings } from "@tributary/earnings/main";
import { daysOf } from "@tributary/runtime/days";
import { type Mounted, mount } from "@tributary/runtime/mount";
import { realClock } from "@tributary/runtime/ports/clock";
import { Writer } from "@tributary/runtime/store/writer";
import { type Ground, onGround } from "./ground.ts";
import { BRAND, CREATOR, metric, PARTNERSHIP, PRODUCT } from "./metrics.ts";
import { stored } from "./stored.ts";
import type { Figure } from "./table.ts";

const ROWS = 20_000;
const PAGE = 1000;
const QUIET_WITHIN_MS = 120_000;
/** After every metric's date. */
const TODAY = asDay("2026-12-31");

interface Told {
  readonly stream: string;
  readonly facts: readonly NewEvent[];
}

/** Rows of the retailer's report, from being recorded until what they earned stands in the documents that people see. */
export const accrualFigures = (): Promise<Figure[]> =>
  onGround(async (ground) => {
    await ground.migratedAll();
    const host = ground.host();
    const mounted = await mount(earnings, host);
    for (const [log, told] of agreed()) await tell(ground, log, told);
    await quiet(mounted);

    const cpu = process.cpuUsage();
    const begun = performance.now();
    for (let from = 0; from < ROWS; from += PAGE) {
      const rows = Array.from({ length: PAGE }, (_, index) => metric(from + index, 1));
      await tell(
        ground,
        "attribution",
        rows.map(({ stream, fact }) => ({ stream, facts: [fact] })),
      );
    }
    await quiet(mounted);
    const seconds = (performance.now() - begun) / 1000;
    const { user, system } = process.cpuUsage(cpu);
    await allAccrued(ground);
    await mounted.stop();
    await host.tails.close();
    return [
      {
        id: "accrual",
        name: "rows of a report, recorded to accrued and shown",
        value: ROWS / seconds,
        unit: "rows/s",
        cpu_us: (user + system) / ROWS,
      },
    ];
  });

/** What must be known before anything accrues: the product, the partnership, and that the day has begun everywhere. */
function agreed(): [string, Told[]][] {
  const listed = ProductListed({
    product_id: PRODUCT,
    brand_id: BRAND,
    asin: "B0BENCH001",
    sku: "bench",
    title: "Bench",
    category: null,
    subcategory: null,
    group: null,
    availability: "in_stock",
    best_seller_rank: null,
    eligibility_status: null,
    ineligibility_codes: [],
    image_url: null,
    large_image_url: null,
    price: null,
    price_currency: "USD",
    variations_list: [],
    commission_percent: 10,
    listed_on: asDay("2024-12-01"),
  });
  const joined = PartnershipActivated({
    partnership_id: PARTNERSHIP,
    creator_id: CREATOR,
    brand_id: BRAND,
    started_on: asDay("2024-12-01"),
    source_program_id: BRAND,
    commission_base: "total",
    referrer_creator_id: null,
    referral_percent: null,
  });
  const days = (fact: NewEvent): Told[] => dayStreams().map((stream) => ({ stream, facts: [fact] }));
  return [
    [
      "catalog",
      [{ stream: `product/${PRODUCT}`, facts: [listed] }, ...days(DayBegan.catalog({ date: TODAY }))],
    ],
    [
      "program",
      [{ stream: `partnership/${PARTNERSHIP}`, facts: [joined] }, ...days(DayBegan.program({ date: TODAY }))],
    ],
  ];
}

/** One per partition. */
function dayStreams(): string[] {
  const days = daysOf(DayBegan.catalog);
  return [...new Set(Array.from({ length: 1000 }, (_, index) => days.guard({ id: `any/${index}` }).id))];
}

async function tell(ground: Ground, log: string, told: readonly Told[]): Promise<void> {
  const pool = ground.pool(log);
  const { refused } = await new Writer(pool, log, realClock, () => undefined).append({
    append: told.map(({ stream, facts }) => ({
      stream,
      expect: 0,
      events: facts.map(stored),
    })),
  });
  await pool.end();
  if (refused) throw new Error(`${log} could not be told: ${refused}`);
}

async function quiet(mounted: Mounted): Promise<void> {
  const until = performance.now() + QUIET_WITHIN_MS;
  for (;;) {
    const report = await mounted.quiet();
    if (report.quiet) return;
    if (performance.now() > until) throw new Error(`not quiet: ${report.waiting.join("; ")}`);
    await mounted.moved(50);
  }
}

async function allAccrued(ground: Ground): Promise<void> {
  const pool = ground.pool(earnings.name);
  const { rows } = await pool.query("select count(*) as earnings from earnings.events");
  await pool.end();
  const sold = Array.from({ length: ROWS }, (_, index) => metric(index, 1).fact.data).filter(
    ({ total_attributed_sales_14d }) => total_attributed_sales_14d > asCents(0n),
  ).length;
  if (Number(rows[0].earnings) !== sold)
    throw new Error(`${sold} rows sold something, and ${rows[0].earnings} earnings are recorded`);
}
