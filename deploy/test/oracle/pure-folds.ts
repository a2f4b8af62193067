import { nextAttemptAt } from "@tributary/billing/attempt-schedule";
import { closeStatement, minimumWaived } from "@tributary/billing/close-statement";
import { type CycleStatus, closeDay, monthToBook } from "@tributary/billing/cycle-months";
import { grossUp } from "@tributary/billing/gross-up";
import { PAYOUT_FEE } from "@tributary/billing/platform-charge";
import { cycleStatus, isLine } from "@tributary/billing/statement-line";
import {
  addDays,
  addMonths,
  type Day,
  dayAt,
  instantOf,
  type Month,
  monthOf,
} from "@tributary/contracts/dates";
import type { DataOf, Heard } from "@tributary/contracts/event";
import type { PerfMetricIngested } from "@tributary/contracts/events/attribution";
import type { CarriedReason } from "@tributary/contracts/events/billing";
import { feeAfterRequest, inForce } from "@tributary/contracts/fees";
import {
  asCents,
  asE4,
  type Cents,
  type E4,
  formatCents,
  formatE4,
  NO_CENTS,
  NO_E4,
  parseReported,
} from "@tributary/contracts/money";
import { accrue } from "@tributary/earnings/accrue";
import { earning } from "@tributary/earnings/earning";
import { cancelled, changed, type Fee } from "@tributary/earnings/facts/fee";
import type { Partnership } from "@tributary/earnings/facts/partnership";
import { restate } from "@tributary/earnings/restate";
import { baseOf, type Terms } from "@tributary/earnings/terms";
import { evolve, type Stream } from "@tributary/runtime/stream";
import { sorted } from "../../src/scenario/result.ts";
import { leastWholeCents } from "../../src/scenario/run-scenario.ts";
import type { BrandRole, Payment, Scenario } from "../../src/scenario/scenario.ts";

type Metric = DataOf<typeof PerfMetricIngested>;
type Earned = (typeof earning)["initial"];
type Told =
  | ReturnType<typeof accrue>["commission"][number]
  | ReturnType<typeof restate>["commission"][number];
type Status = "processing" | "failed" | "succeeded" | "past_due";

interface Statement {
  readonly month: Month;
  readonly brand: string;
  readonly creator: string;
  commission: E4;
  referral: E4;
  adjustments: E4;
  carried_in: E4;
  months_below_minimum: number;
}
interface Charge {
  readonly month: Month;
  readonly brand: string;
  readonly creator: string | null;
  readonly closed_on: Day;
  net: Cents;
  gross: Cents;
}
interface Closed extends Statement {
  readonly closed: ReturnType<typeof closeStatement>;
  readonly rail: string;
  readonly charge: Charge | null;
}

const folded = earning as Stream<Earned>;
/** As the log would hand it to the fold, which looks at what it says and nothing else. */
const inEnvelope = ({ type, data }: Told): Heard => ({
  ...{ type, data, id: "", source: "earnings", stream: "earning/of", version: 1, partition: 0, sequence: 1 },
  ...{ time: "", actor: null, correlationid: "", causationid: null },
});

/** How an attempt ends, and when: banks answer at 03:00, four days later. Null when the run is over by then. */
function outcomeOf(payment: Payment, attempt: number, at: string, end: string) {
  const bank = payment === "ach" || payment === "ach_fails";
  const told = bank ? instantOf(addDays(dayAt(at), 4), "03:00") : at;
  if (told > end) return null;
  const fails = payment === "ach_fails" || (payment === "card_declined_once" && attempt === 1);
  return { told, fails };
}

/** A charge's attempts by the product's own schedule, until the run is over. */
function chargeStatus(payment: Payment, closed_on: Day, end: string): Status {
  let at = instantOf(closed_on, "00:05");
  for (let attempt = 1; ; attempt++) {
    const outcome = outcomeOf(payment, attempt, at, end);
    if (!outcome) return "processing";
    if (!outcome.fails) return "succeeded";
    const next = nextAttemptAt(attempt, closed_on, outcome.told);
    if (next === null) return "past_due";
    if (next > end) return "failed";
    at = next;
  }
}

/** The same scenario played through the product's own pure deciders and folds, with nothing between them but this loop. */
export class PureRun {
  readonly #scenario: Scenario;
  readonly #fees = new Map<string, Fee>();
  readonly #partnerships = new Map<string, Partnership>();
  readonly #payouts = new Map<string, string>();
  readonly #links = new Map<string, { brand: string; creator: string; product: string }>();
  readonly #shown = new Map<string, Metric>();
  readonly #news = new Set<string>();
  readonly #earned = new Map<string, { commission: Earned; referral: Earned }>();
  readonly #cycles = new Map<Month, CycleStatus>();
  readonly #statements = new Map<string, Statement>();
  readonly #closed: { month: Month; lines: Closed[] }[] = [];
  readonly #charges: Charge[] = [];

  constructor(scenario: Scenario) {
    this.#scenario = scenario;
    for (const brand of scenario.brands)
      for (const { key, percent } of brand.products) {
        const listed = { percent, effective_from: null, requested_on: null, set_by: null };
        this.#fees.set(`${brand.key} ${key}`, { versions: [listed] });
      }
    for (const { key, payout } of scenario.creators) this.#payouts.set(key, payout);
  }

  play() {
    const { start, days, settings } = this.#scenario;
    const last = addDays(start, days - 1);
    for (let today = start; today <= last; today = addDays(today, 1)) {
      if (!this.#cycles.has(monthOf(today))) this.#cycles.set(monthOf(today), "open");
      for (const [month, status] of this.#cycles)
        if (status === "open" && closeDay(month, settings.close_day) === today) this.#close(month, today);
      for (const event of this.#scenario.events) if (event.on === today) this.#happen(event, today);
      for (const row of this.#scenario.reports) if (row.on === today) this.#publish(row, today);
      this.#sync(today);
    }
    return this.#result(last);
  }

  #brand = (key: string): BrandRole => this.#scenario.brands.find((brand) => brand.key === key)!;

  #happen(event: Scenario["events"][number], today: Day): void {
    switch (event.do) {
      case "partner":
      case "refer":
        this.#partnerships.set(`${event.brand} ${event.creator}`, {
          started_on: today,
          ended_on: null,
          program_id: event.brand,
          commission_base: this.#brand(event.brand).commission_base,
          referrer_creator_id: event.do === "refer" ? event.referrer : null,
          referral_percent: event.do === "refer" ? event.percent : null,
        });
        break;
      case "end": {
        const pair = `${event.brand} ${event.creator}`;
        this.#partnerships.set(pair, { ...this.#partnerships.get(pair)!, ended_on: today });
        break;
      }
      case "link":
        this.#links.set(event.key, event);
        break;
      case "payout":
        this.#payouts.set(event.creator, event.payout);
        break;
      case "fee":
        this.#setFee(event, today);
        break;
    }
  }

  #setFee(
    { brand, product, creator, percent }: Extract<Scenario["events"][number], { do: "fee" }>,
    today: Day,
  ): void {
    const general = this.#fees.get(`${brand} ${product}`)!;
    const scope = creator === undefined ? `${brand} ${product}` : `${brand} ${product} ${creator}`;
    const fee = this.#fees.get(scope);
    const decision = feeAfterRequest(
      fee?.versions ?? [],
      today,
      percent,
      inForce(general.versions, today)!.percent,
    );
    const asked = { ...{ product_id: product, brand_id: brand, requested_on: today }, set_by: "brand" };
    if (decision.kind === "agreed") this.#fees.set(scope, changed(fee, { ...asked, ...decision }));
    if (decision.kind === "cancelled") this.#fees.set(scope, cancelled(fee, asked));
  }

  #publish({ link, date, promoted, total }: Scenario["reports"][number], today: Day): void {
    const id = `${link} ${date}`;
    const { brand, creator, product } = this.#links.get(link)!;
    const before = this.#shown.get(id);
    const none = { detail_page_views_14d: 0, total_detail_page_view_clicks_14d: 0, add_to_cart_14d: 0 };
    this.#shown.set(id, {
      ...{ metric_id: id, link_id: link, brand_id: brand, creator_id: creator, product_id: product },
      ...{ partnership_id: `${brand} ${creator}`, date, revision: (before?.revision ?? 0) + 1 },
      ...{ synced_on: today, masked: false, click_throughs: 0, ...none, total_add_to_cart_clicks_14d: 0 },
      ...{ purchases_14d: 0, total_purchases_14d: 0, units_sold_14d: 0, total_units_sold_14d: 0 },
      attributed_sales_14d: parseReported(promoted)!,
      total_attributed_sales_14d: parseReported(total)!,
      brb_bonus_amount: null,
      source: { report_id: "report", fetched_at: instantOf(today, "18:00"), row_hash: id },
    });
    this.#news.add(id);
  }

  #sync(today: Day): void {
    for (const id of this.#news) this.#hear({ ...this.#shown.get(id)!, synced_on: today });
    this.#news.clear();
  }

  #hear(metric: Metric): void {
    const { brand_id, creator_id, product_id } = metric;
    const partnership = this.#partnerships.get(`${brand_id} ${creator_id}`)!;
    const { referrer_creator_id } = partnership;
    const terms: Terms = {
      partnership,
      bases: null,
      product_fee: this.#fees.get(`${brand_id} ${product_id}`)!,
      private_fee: this.#fees.get(`${brand_id} ${product_id} ${creator_id}`) ?? null,
      referrer: referrer_creator_id
        ? (this.#partnerships.get(`${brand_id} ${referrer_creator_id}`) ?? null)
        : null,
    };
    const held = this.#earned.get(metric.metric_id) ?? {
      commission: earning.initial,
      referral: earning.initial,
    };
    const told =
      held.commission.status === "none"
        ? accrue(metric, terms)
        : restate(metric, baseOf(metric, terms), held.commission, held.referral);
    for (const fact of [...told.commission, ...told.referral]) this.#book(fact);
    const fold = (state: Earned, facts: readonly Told[]): Earned =>
      facts.reduce((now, fact) => evolve(folded, now, inEnvelope(fact)), state);
    this.#earned.set(metric.metric_id, {
      commission: fold(held.commission, told.commission),
      referral: fold(held.referral, told.referral),
    });
  }

  #book(fact: Told): void {
    if (fact.type !== "EarningAccrued" && fact.type !== "EarningAdjusted") return;
    const amount = fact.type === "EarningAccrued" ? fact.data.amount : fact.data.delta;
    const { brand_id, creator_id, date, earning_type } = fact.data;
    const own = monthOf(date);
    const month = monthToBook(own, this.#cycles)!;
    const statement = this.#statement(month, brand_id, creator_id);
    const column = month === own ? earning_type : "adjustments";
    statement[column] = asE4(statement[column] + amount);
  }

  #statement(month: Month, brand: string, creator: string): Statement {
    const key = `${month} ${brand} ${creator}`;
    const nothing = { commission: NO_E4, referral: NO_E4, adjustments: NO_E4, carried_in: NO_E4 };
    const held = this.#statements.get(key) ?? { month, brand, creator, ...nothing, months_below_minimum: 0 };
    this.#statements.set(key, held);
    return held;
  }

  #linesOf = (month: Month): Statement[] =>
    sorted(
      [...this.#statements.values()].filter((line) => line.month === month && isLine(line)),
      "brand",
      "creator",
    );

  #close(month: Month, today: Day): void {
    const { settings } = this.#scenario;
    const lines = this.#linesOf(month).map((statement): Closed => {
      const { brand, creator } = statement;
      const { payment } = this.#brand(brand);
      const rail = this.#payouts.get(creator) as "stripe" | "paypal" | "venmo" | "none";
      const minimum_waived = minimumWaived({
        month,
        closed_on: today,
        partnership_ended_on: this.#partnerships.get(`${brand} ${creator}`)?.ended_on ?? null,
        months_below_minimum: statement.months_below_minimum,
      });
      const closed = closeStatement({
        ...statement,
        ...{ rail, minimum_waived, brand_can_pay: payment !== "none" },
        min_payout: parseReported(leastWholeCents(settings.min_payout))!,
      });
      const next = this.#statement(addMonths(month, 1), brand, creator);
      next.carried_in = asE4(next.carried_in + closed.carried_out);
      next.months_below_minimum = belowMinimum(closed.carried_reason)
        ? statement.months_below_minimum + 1
        : 0;
      const charge = closed.charged > 0n ? this.#charge(statement, rail, closed.charged, today) : null;
      return { ...statement, closed, rail, charge };
    });
    for (const charge of this.#charges) {
      if (charge.month !== month) continue;
      const { payment } = this.#brand(charge.brand);
      const by = payment.startsWith("card") ? "card" : "us_bank_account";
      charge.gross = grossUp(charge.net, by, settings.gross_up);
    }
    this.#cycles.set(month, "closed");
    this.#closed.push({ month, lines });
  }

  #charge({ month, brand, creator }: Statement, rail: string, charged: Cents, closed_on: Day): Charge {
    const own = rail === "stripe";
    const known = this.#charges.find(
      (one) => !own && one.month === month && one.brand === brand && one.creator === null,
    );
    const charge = known ?? {
      ...{ month, brand, creator: own ? creator : null, closed_on },
      ...{ net: NO_CENTS, gross: NO_CENTS },
    };
    charge.net = asCents(charge.net + charged + (own ? 0n : PAYOUT_FEE));
    if (!known) this.#charges.push(charge);
    return charge;
  }

  #result(last: Day) {
    const end = instantOf(last, "23:59");
    const status = (charge: Charge): Status =>
      chargeStatus(this.#brand(charge.brand).payment, charge.closed_on, end);
    const amounts = ({ commission, referral, adjustments, carried_in }: Statement) => ({
      commission: formatE4(commission),
      referral: formatE4(referral),
      adjustments: formatE4(adjustments),
      carried_in: formatE4(carried_in),
    });
    const cycles = this.#closed.map(({ month, lines }) => {
      const made = this.#charges.filter((charge) => charge.month === month);
      return {
        month,
        status: cycleStatus(
          "closed",
          made.map((charge) => ({ status: status(charge) })),
        ),
        lines: lines.map(({ closed, rail, charge, ...line }) => ({
          ...{ brand: line.brand, creator: line.creator },
          ...amounts(line),
          net: formatE4(closed.net),
          rounding: formatE4(closed.rounding),
          charged: formatCents(closed.charged),
          carried_out: formatE4(closed.carried_out),
          carried_reason: closed.carried_reason,
          rail,
          charge_status: charge && status(charge),
          gross: charge?.creator ? formatCents(charge.gross) : null,
          paid: formatCents(charge && status(charge) === "succeeded" ? closed.charged : NO_CENTS),
        })),
      };
    });
    const platform_charges = this.#charges
      .filter(({ creator }) => creator === null)
      .map((charge) => ({
        ...{ month: charge.month, brand: charge.brand },
        ...{ net: formatCents(charge.net), gross: formatCents(charge.gross), status: status(charge) },
      }));
    const open = [...this.#cycles]
      .filter(([, cycle]) => cycle === "open")
      .flatMap(([month]) => this.#linesOf(month))
      .map((line) => ({
        ...{ month: line.month, brand: line.brand, creator: line.creator },
        ...amounts(line),
      }));
    const review = [...this.#earned].flatMap(([id, { commission }]) => {
      if (commission.status === "none" || commission.refused_amount === null) return [];
      const { link_id, date } = this.#shown.get(id)!;
      const delta = asCents(commission.refused_amount - commission.sales_amount);
      return [{ link: link_id, date, delta_base: formatCents(delta) }];
    });
    return {
      cycles,
      platform_charges: sorted(platform_charges, "month", "brand"),
      open: sorted(open, "month", "brand", "creator"),
      review: sorted(review, "link", "date"),
      differences: "0.0000",
    };
  }
}

const belowMinimum = (reason: CarriedReason | null): boolean => reason === "below_minimum";
