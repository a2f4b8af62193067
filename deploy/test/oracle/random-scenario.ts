import type { OracleScenario } from "./oracle.ts";

/** How large a drawn scenario is at most. */
export interface Size {
  readonly days: readonly [least: number, most: number];
  readonly brands: number;
  readonly creators: number;
  readonly events: number;
  readonly reports: number;
  /** The first days to choose from. */
  readonly starts: readonly string[];
  readonly close_days: readonly number[];
}

/** A source of chances that gives the same for the same seed (mulberry32). */
function chances(seed: number) {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const between = (least: number, most: number): number => least + Math.floor(next() * (most - least + 1));
  const of = <T>(list: readonly T[]): T => list[between(0, list.length - 1)]!;
  return { between, of, chance: (percent: number): boolean => next() * 100 < percent };
}

const plus = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);

/** Cents as the retailer may write them: now and then with the noise of floating point. */
const written = (cents: number, noise: number): string => {
  const text = `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, "0")}`;
  if (noise === 1) return `${text}00000000000001`;
  if (noise === 3 && cents > 0) return `${written(cents - 1, 0)}99999999999998`;
  return noise === 2 ? `${text}4999999999999` : text;
};

/** Draws a valid scenario: whatever is drawn is done only when it can be done at its moment. */
export function randomScenario(seed: number, size: Size): OracleScenario {
  const { between, of, chance } = chances(seed);
  const start = of(size.starts);
  const days = between(size.days[0], size.days[1]);
  const brands = Array.from({ length: between(1, size.brands) }, (_, index) => ({
    key: of(["acme", "Brand-", "b_"]) + index,
    payment: of(["card", "card", "card", "ach", "card_declined_once", "ach_fails", "none"]),
    ...(chance(70) ? {} : { commission_base: of(["total", "promoted"]) }),
    products: Array.from({ length: between(1, 2) }, (_, at) => ({
      key: `p${at}`,
      price: written(between(1, 9999), 0),
      percent: between(1, 60),
    })),
  }));
  const creators = Array.from({ length: between(1, size.creators) }, (_, index) => ({
    key: of(["ana", "Bo", "c-"]) + index,
    payout: of(["stripe", "stripe", "paypal", "venmo", "none"]),
  }));

  const events: NonNullable<OracleScenario["events"]> = [];
  const standing = new Map<string, "active" | "ended">();
  const links: { key: string; on: number; since: number }[] = [];
  const linked = new Set<string>();
  const moments = Array.from({ length: size.events }, () =>
    chance(40) ? between(0, Math.min(5, days - 1)) : between(0, days - 1),
  ).sort((a, b) => a - b);
  const begun = new Map<string, number>();
  for (const moment of moments) {
    const on = plus(start, moment);
    const [brand, creator] = [of(brands), of(creators).key];
    const product = of(brand.products).key;
    const pair = { brand: brand.key, creator };
    const now = standing.get(`${brand.key} ${creator}`);
    const referrers = creators.filter(
      ({ key }) => key !== creator && standing.get(`${brand.key} ${key}`) === "active",
    );
    if (chance(8))
      events.push({ on, do: "payout", creator, payout: of(["stripe", "paypal", "venmo", "none"]) });
    if (chance(15)) events.push({ on, do: "fee", brand: brand.key, product, percent: between(1, 60) });
    if (now === undefined) {
      if (referrers.length > 0 && chance(60))
        events.push({ on, do: "refer", ...pair, referrer: of(referrers).key, percent: between(1, 15) });
      else events.push({ on, do: "partner", ...pair });
      standing.set(`${brand.key} ${creator}`, "active");
      begun.set(`${brand.key} ${creator}`, moment);
    }
    if (now === "ended") continue;
    if (!linked.has(`${brand.key} ${creator} ${product}`) && chance(80)) {
      linked.add(`${brand.key} ${creator} ${product}`);
      const key = `l${of(["", "-", "_", "X"])}${links.length}`;
      events.push({ on, do: "link", key, ...pair, product });
      links.push({ key, on: moment, since: begun.get(`${brand.key} ${creator}`)! });
    }
    if (chance(25)) events.push({ on, do: "fee", ...pair, product, percent: between(1, 60) });
    if (now === "active" && chance(10)) {
      events.push({ on, do: "end", ...pair });
      standing.set(`${brand.key} ${creator}`, "ended");
    }
  }

  // Days may come in any order in the list; within a day the order holds.
  const weights = new Map<string, number>();
  const weight = (on: string): number => {
    if (!weights.has(on)) weights.set(on, between(0, 1_000_000));
    return weights.get(on)!;
  };

  const reports: NonNullable<OracleScenario["reports"]> = [];
  for (let count = links.length > 0 ? size.reports : 0; count > 0; count--) {
    const again = reports.length > 0 && chance(45) ? of(reports) : null;
    const link = again ? links.find(({ key }) => key === again.link)! : of(links);
    const on = between(link.on, days - 1);
    const earlier = chance(70) ? Math.min(on, link.since) : 0;
    const date = again && again.date <= plus(start, on) ? again.date : plus(start, between(earlier, on));
    const total = chance(12) ? 0 : chance(50) ? between(1, 9_999) : between(1, 60_000);
    const promoted = chance(50) ? total : between(0, total);
    const noise = between(0, 4);
    reports.push({
      on: plus(start, on),
      link: link.key,
      date,
      clicks: between(0, 40),
      promoted: written(promoted, promoted === total ? noise : 0),
      total: written(total, noise),
    });
  }
  return {
    start,
    days,
    ...(chance(20)
      ? {}
      : {
          settings: {
            close_day: of(size.close_days),
            min_payout: of(["10.00", "0", "25.004", "5.5", "40.00", "0.00"]),
            gross_up: of(["card", "all", "none"]),
          },
        }),
    ...{ brands, creators, reports },
    events: events.toSorted((a, b) => weight(a.on) - weight(b.on)),
  };
}
