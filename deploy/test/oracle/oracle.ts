/**
 * What a scenario comes to, reckoned a second time from the scenario rules alone: plain loops over days, whole numbers, and no
 * import. Amounts are bigint of 1/10 000 dollar unless they are called cents. Takes valid scenarios only.
 */
export function oracle(scenario: OracleScenario): OracleResult {
  const close_day = scenario.settings?.close_day ?? 3;
  const min_payout = scenario.settings?.min_payout ?? "10.00";
  const gross_up = scenario.settings?.gross_up ?? "card";
  const { start, brands, creators } = scenario;
  const last = plus(start, scenario.days - 1);

  const productFees = new Map<string, FeeFrom[]>();
  const privateFees = new Map<string, FeeFrom[]>();
  const payouts = new Map<string, string>();
  const partners = new Map<string, Partner>();
  const links = new Map<string, { brand: string; creator: string; product: string }>();
  const report = new Map<string, { link: string; date: string; promoted: bigint; total: bigint }>();
  const accrued = new Map<string, Accrued>();
  const books = new Map<string, Parts>();
  const closed: { month: string; lines: ClosedLine[] }[] = [];
  const charges: Charge[] = [];

  for (const brand of brands)
    for (const product of brand.products)
      productFees.set(`${brand.key} ${product.key}`, [{ from: "0000-00-00", percent: product.percent }]);
  for (const creator of creators) payouts.set(creator.key, creator.payout);

  const brandOf = (key: string) => brands.find((brand) => brand.key === key)!;
  const part = (month: string, brand: string, creator: string): Parts => {
    const key = `${month} ${brand} ${creator}`;
    if (!books.has(key))
      books.set(key, {
        month,
        brand,
        creator,
        commission: 0n,
        referral: 0n,
        adjustments: 0n,
        carried_in: 0n,
      });
    return books.get(key)!;
  };
  const linesOf = (month: string): Parts[] => {
    const found: Parts[] = [];
    for (const line of books.values())
      if (
        line.month === month &&
        (line.commission !== 0n || line.referral !== 0n || line.adjustments !== 0n || line.carried_in !== 0n)
      )
        found.push(line);
    found.sort((a, b) => before(a.brand, b.brand) || before(a.creator, b.creator));
    return found;
  };
  const closedMonths = () => closed.map(({ month }) => month);
  const book = (
    kind: "commission" | "referral",
    brand: string,
    creator: string,
    date: string,
    amount: bigint,
  ) => {
    const own = date.slice(0, 7);
    let month = start.slice(0, 7);
    while (closedMonths().includes(month)) month = nextMonth(month);
    if (!closedMonths().includes(own)) part(own, brand, creator)[kind] += amount;
    else part(month, brand, creator).adjustments += amount;
  };

  for (let today = start; today <= last; today = plus(today, 1)) {
    // 00:05
    const month = previousMonth(today.slice(0, 7));
    const length = daysIn(today.slice(0, 7));
    const due = Number(today.slice(8)) === (close_day < length ? close_day : length);
    if (due && month >= start.slice(0, 7)) {
      const lines: ClosedLine[] = [];
      for (const parts of linesOf(month)) {
        const { brand, creator } = parts;
        const net = parts.carried_in + parts.commission + parts.referral + parts.adjustments;
        const rail = payouts.get(creator)!;
        const payable = (net + 50n) / 100n;
        let reason: string | null = null;
        let pays = false;
        if (net < 0n) reason = "negative";
        else if (net === 0n) reason = null;
        else if (rail === "none") reason = "no_payout_method";
        else if (brandOf(brand).payment === "none") reason = "no_payment_method";
        else if (payable < 50n) reason = "below_minimum";
        else if (below(payable, min_payout)) {
          const ended = partners.get(`${brand} ${creator}`)?.end ?? null;
          let belowBefore = 0;
          for (let back = 1, at = previousMonth(month); back <= 3; back++, at = previousMonth(at))
            for (const cycle of closed)
              if (cycle.month === at)
                for (const line of cycle.lines)
                  if (line.brand === brand && line.creator === creator && line.reason === "below_minimum")
                    belowBefore++;
          if (month.endsWith("-12") || (ended !== null && ended < today) || belowBefore === 3) pays = true;
          else reason = "below_minimum";
        } else pays = true;
        const rounding = pays ? payable * 100n - net : 0n;
        const carried_out = pays ? -rounding : net;
        let charge: Charge | null = null;
        if (pays && rail === "stripe") {
          charge = { month, brand, creator, made: today, net: payable, gross: 0n };
          charges.push(charge);
        } else if (pays) {
          charge =
            charges.find((one) => one.month === month && one.brand === brand && one.creator === null) ?? null;
          if (!charge) {
            charge = { month, brand, creator: null, made: today, net: 0n, gross: 0n };
            charges.push(charge);
          }
          charge.net += payable + 25n;
        }
        lines.push({
          ...parts,
          net,
          rail,
          reason,
          charged: pays ? payable : 0n,
          rounding,
          carried_out,
          charge,
        });
        if (carried_out !== 0n) part(nextMonth(month), brand, creator).carried_in += carried_out;
      }
      for (const charge of charges)
        if (charge.month === month)
          charge.gross = grossOf(charge.net, brandOf(charge.brand).payment, gross_up);
      closed.push({ month, lines });
    }

    // 09:00
    for (const event of scenario.events ?? []) {
      if (event.on !== today) continue;
      const pair = `${event.brand} ${event.creator}`;
      if (event.do === "partner") partners.set(pair, { start: today, end: null, referrer: null, percent: 0 });
      if (event.do === "refer")
        partners.set(pair, { start: today, end: null, referrer: event.referrer!, percent: event.percent! });
      if (event.do === "end") partners.get(pair)!.end = today;
      if (event.do === "payout") payouts.set(event.creator!, event.payout!);
      if (event.do === "link")
        links.set(event.key!, { brand: event.brand!, creator: event.creator!, product: event.product! });
      if (event.do === "fee") {
        const general = productFees.get(`${event.brand} ${event.product}`)!;
        let scope = general;
        if (event.creator !== undefined) {
          const key = `${event.brand} ${event.product} ${event.creator}`;
          if (!privateFees.has(key)) privateFees.set(key, []);
          scope = privateFees.get(key)!;
        }
        while (scope.length > 0 && scope[scope.length - 1]!.from > today) scope.pop();
        const now = percentOn(scope, today) ?? percentOn(general, today)!;
        if (event.percent! > now) scope.push({ from: plus(today, 1), percent: event.percent! });
        if (event.percent! < now) scope.push({ from: plus(today, 14), percent: event.percent! });
      }
    }

    // 12:00
    for (const row of scenario.reports ?? [])
      if (row.on === today)
        report.set(`${row.link} ${row.date}`, {
          link: row.link,
          date: row.date,
          promoted: toCents(row.promoted),
          total: toCents(row.total),
        });

    // 18:00
    for (const [key, row] of report) {
      const { brand, creator, product } = links.get(row.link)!;
      const base = brandOf(brand).commission_base === "promoted" ? row.promoted : row.total;
      const held = accrued.get(key);
      const own = partners.get(`${brand} ${creator}`)!;
      if (held) {
        if (held.base === base || between(row.date, today) > 60) continue;
        const difference = base - held.base;
        held.base = base;
        book("commission", brand, creator, row.date, difference * BigInt(held.percent));
        if (held.referrer !== null)
          book("referral", brand, held.referrer, row.date, difference * BigInt(held.referral));
        continue;
      }
      if (base === 0n || row.date < own.start) continue;
      if (own.end !== null && row.date > plus(own.end, 14)) continue;
      const percent =
        percentOn(privateFees.get(`${brand} ${product} ${creator}`) ?? [], row.date) ??
        percentOn(productFees.get(`${brand} ${product}`)!, row.date)!;
      let referrer = own.referrer;
      if (referrer !== null) {
        const theirs = partners.get(`${brand} ${referrer}`)!;
        if (theirs.end !== null && row.date > plus(theirs.end, 14)) referrer = null;
      }
      accrued.set(key, { base, percent, referrer, referral: own.percent });
      book("commission", brand, creator, row.date, base * BigInt(percent));
      if (referrer !== null) book("referral", brand, referrer, row.date, base * BigInt(own.percent));
    }
  }

  const statusOf = (charge: Charge): string => {
    const passed = between(charge.made, last);
    const payment = brandOf(charge.brand).payment;
    if (payment === "card_declined_once") return passed < 3 ? "failed" : "succeeded";
    if (payment === "ach") return passed < 4 ? "processing" : "succeeded";
    if (payment === "ach_fails") return passed < 16 ? "processing" : "past_due";
    return "succeeded";
  };

  const result: OracleResult = {
    cycles: [],
    platform_charges: [],
    open: [],
    review: [],
    differences: "0.0000",
  };
  for (const { month, lines } of closed) {
    const statuses: string[] = [];
    for (const charge of charges) if (charge.month === month) statuses.push(statusOf(charge));
    let status = "settled";
    if (statuses.length === 0) status = "closed";
    else if (statuses.includes("processing") || statuses.includes("failed")) status = "charging";
    else if (statuses.includes("past_due")) status = "partially_settled";
    result.cycles.push({
      month,
      status,
      lines: lines.map((line) => ({
        brand: line.brand,
        creator: line.creator,
        commission: text(line.commission, 4),
        referral: text(line.referral, 4),
        adjustments: text(line.adjustments, 4),
        carried_in: text(line.carried_in, 4),
        net: text(line.net, 4),
        rounding: text(line.rounding, 4),
        charged: text(line.charged, 2),
        carried_out: text(line.carried_out, 4),
        carried_reason: line.reason,
        rail: line.rail,
        charge_status: line.charge ? statusOf(line.charge) : null,
        gross: line.charge && line.charge.creator !== null ? text(line.charge.gross, 2) : null,
        paid: text(line.charge && statusOf(line.charge) === "succeeded" ? line.charged : 0n, 2),
      })),
    });
  }
  for (const charge of charges)
    if (charge.creator === null)
      result.platform_charges.push({
        month: charge.month,
        brand: charge.brand,
        net: text(charge.net, 2),
        gross: text(charge.gross, 2),
        status: statusOf(charge),
      });
  result.platform_charges.sort((a, b) => before(a.month, b.month) || before(a.brand, b.brand));
  for (let month = start.slice(0, 7); month <= last.slice(0, 7); month = nextMonth(month)) {
    if (closedMonths().includes(month)) continue;
    for (const line of linesOf(month))
      result.open.push({
        month,
        brand: line.brand,
        creator: line.creator,
        commission: text(line.commission, 4),
        referral: text(line.referral, 4),
        adjustments: text(line.adjustments, 4),
        carried_in: text(line.carried_in, 4),
      });
  }
  for (const [key, held] of accrued) {
    const row = report.get(key)!;
    const base =
      brandOf(links.get(row.link)!.brand).commission_base === "promoted" ? row.promoted : row.total;
    if (base !== held.base)
      result.review.push({ link: row.link, date: row.date, delta_base: text(base - held.base, 2) });
  }
  result.review.sort((a, b) => before(a.link, b.link) || before(a.date, b.date));
  return result;
}

/** A scenario as its file has it: what may be left out may be missing. */
export interface OracleScenario {
  start: string;
  days: number;
  settings?: { close_day?: number; min_payout?: string; gross_up?: string };
  brands: {
    key: string;
    payment: string;
    commission_base?: string;
    products: { key: string; price: string; percent: number }[];
  }[];
  creators: { key: string; payout: string }[];
  events?: {
    on: string;
    do: string;
    key?: string;
    brand?: string;
    creator?: string;
    referrer?: string;
    product?: string;
    percent?: number;
    payout?: string;
  }[];
  reports?: {
    on: string;
    link: string;
    date: string;
    clicks: number;
    promoted: string;
    total: string;
  }[];
}

type Told = Record<string, string | null>;
/** A result as it is printed. */
export interface OracleResult {
  cycles: { month: string; status: string; lines: Told[] }[];
  platform_charges: { month: string; brand: string; net: string; gross: string; status: string }[];
  open: Told[];
  review: { link: string; date: string; delta_base: string }[];
  differences: string;
}

interface FeeFrom {
  from: string;
  percent: number;
}
interface Partner {
  start: string;
  end: string | null;
  referrer: string | null;
  percent: number;
}
interface Accrued {
  base: bigint;
  percent: number;
  referrer: string | null;
  referral: number;
}
interface Parts {
  month: string;
  brand: string;
  creator: string;
  commission: bigint;
  referral: bigint;
  adjustments: bigint;
  carried_in: bigint;
}
interface Charge {
  month: string;
  brand: string;
  creator: string | null;
  made: string;
  net: bigint;
  gross: bigint;
}
interface ClosedLine extends Parts {
  net: bigint;
  rail: string;
  reason: string | null;
  charged: bigint;
  rounding: bigint;
  carried_out: bigint;
  charge: Charge | null;
}

function before(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function plus(date: string, days: number): string {
  const at = new Date(`${date}T12:00:00Z`);
  at.setUTCDate(at.getUTCDate() + days);
  return at.toISOString().slice(0, 10);
}

function between(from: string, to: string): number {
  return Math.round((Date.parse(`${to}T12:00:00Z`) - Date.parse(`${from}T12:00:00Z`)) / 86_400_000);
}

function nextMonth(month: string): string {
  const [year, number] = [Number(month.slice(0, 4)), Number(month.slice(5))];
  return number === 12 ? `${year + 1}-01` : `${year}-${String(number + 1).padStart(2, "0")}`;
}

function previousMonth(month: string): string {
  const [year, number] = [Number(month.slice(0, 4)), Number(month.slice(5))];
  return number === 1 ? `${year - 1}-12` : `${year}-${String(number - 1).padStart(2, "0")}`;
}

function daysIn(month: string): number {
  return Number(plus(`${nextMonth(month)}-01`, -1).slice(8));
}

/** The percent of a scope that began last, null when none has begun. */
function percentOn(fees: FeeFrom[], date: string): number | null {
  let percent: number | null = null;
  for (const fee of fees) if (fee.from <= date) percent = fee.percent;
  return percent;
}

/** Half away from zero to cents, from the text as it is written. */
function toCents(written: string): bigint {
  const [dollars, fraction = ""] = written.split(".");
  const digits = `${fraction}000`;
  const cents = BigInt(dollars!) * 100n + BigInt(digits.slice(0, 2));
  return digits[2]! >= "5" ? cents + 1n : cents;
}

/** Whether cents are less than dollars written with any number of digits. */
function below(cents: bigint, dollars: string): boolean {
  const [whole, fraction = ""] = dollars.split(".");
  return cents * 10n ** BigInt(fraction.length) < BigInt(whole! + fraction) * 100n;
}

/** The smallest gross of which enough is left, found by trying one cent after another. */
function grossOf(net: bigint, payment: string, policy: string): bigint {
  const card = payment === "card" || payment === "card_declined_once";
  if (policy === "none" || (policy === "card" && !card)) return net;
  for (let gross = net; ; gross++) {
    let fee = card ? (gross * 29n + 500n) / 1000n + 30n : (gross * 8n + 500n) / 1000n;
    if (!card && fee > 500n) fee = 500n;
    if (gross - fee >= net) return gross;
  }
}

function text(value: bigint, digits: number): string {
  const all = (value < 0n ? -value : value).toString().padStart(digits + 1, "0");
  return `${value < 0n ? "-" : ""}${all.slice(0, -digits)}.${all.slice(-digits)}`;
}
