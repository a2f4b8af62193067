import type { Day } from "@tributary/contracts/dates";
import type { DataOf, Heard } from "@tributary/contracts/event";
import { PerfMetricIngested } from "@tributary/contracts/events/attribution";
import { earningId } from "@tributary/contracts/ids";
import {
  asCents,
  asE4,
  type Cents,
  formatCents,
  formatE4,
  NO_CENTS,
  percentOf,
} from "@tributary/contracts/money";
import { type Accrual, accrualsOf, baseFor, type EarningEvent } from "./accruals.ts";
import { Agreements } from "./agreements.ts";
import { streams } from "./events.ts";
import { type Findings, type Place, placeOf } from "./findings.ts";
import type { Ground } from "./ground.ts";
import { progressOf } from "./progress.ts";

type Metric = Heard<"PerfMetricIngested", DataOf<typeof PerfMetricIngested>>;

/** The stream of what a metric earns. */
export const earningStream = (metric_id: string, type: "commission" | "referral"): string =>
  `earning/${earningId(metric_id, type)}`;

/** An earning is its base at the percent recorded with its first accrual, after every restatement. */
function reckonAgain(before: Accrual | null, event: EarningEvent, findings: Findings): void {
  const place = placeOf(event);
  const off = (said: bigint, reckoned: bigint, what: string): void => {
    if (said !== reckoned) findings.found(place, what, formatE4(asE4(said - reckoned)));
  };
  if (event.type === "EarningAccrued") {
    const { metric_id, earning_type, sales_amount, commission_rate, amount } = event.data;
    if (before) findings.found(place, "accrued a second time", formatE4(amount));
    if (event.stream !== earningStream(metric_id, earning_type))
      findings.found(place, `not the stream of the ${earning_type} of metric ${metric_id}`, formatE4(amount));
    const what = `the earning is not ${formatCents(sales_amount)} x ${commission_rate} %`;
    off(amount, percentOf(sales_amount, commission_rate), what);
  } else if (!before) findings.found(place, "restated and never accrued");
  else if (event.type === "EarningAdjusted") {
    const { from_sales_amount: from, to_sales_amount: to, delta, amount } = event.data;
    const percent = before.accrued.commission_rate;
    if (from !== before.base || event.data.commission_rate !== percent)
      findings.found(place, `goes on from ${formatCents(from)} at another base or percent than was recorded`);
    const difference = asCents(to - from);
    off(
      delta,
      percentOf(difference, percent),
      `the difference is not ${formatCents(difference)} x ${percent} %`,
    );
    off(amount, percentOf(to, percent), `the earning is not ${formatCents(to)} x ${percent} %`);
  }
}

/** Every base that was accepted is what the report said in that revision; the last one is what it says now, unless that was refused. */
function judge(
  revisions: readonly Metric[],
  earning: Accrual,
  refused: Accrual["refused"],
  findings: Findings,
): void {
  const { earning_type, commission_rate } = earning.accrued;
  const off = (accepted: Cents, reported: Cents, place: Place, date: Day): void => {
    if (accepted === reported) return;
    const what = `${date}: the ${earning_type} is of ${formatCents(accepted)}, the report says ${formatCents(reported)}`;
    findings.found(place, what, formatE4(percentOf(asCents(accepted - reported), commission_rate)));
  };
  for (const { revision, base, place } of earning.accepted) {
    const shown = revisions.find(({ data }) => data.revision === revision);
    if (shown) off(base, baseFor(earning, shown.data), placeOf(shown), shown.data.date);
    else off(base, NO_CENTS, place, earning.accrued.date);
  }
  const latest = revisions.at(-1)!;
  const reported = baseFor(earning, latest.data);
  if (earning.accepted.at(-1)!.revision !== latest.data.revision && reported !== refused)
    off(earning.base, reported, placeOf(latest), latest.data.date);
}

/**
 * I1: every metric with a base above nothing and a date in its partnership's days has one commission, and one referral where
 * somebody referred its creator: the accepted base x the recorded percent. Every other metric has none, or nothing left of it.
 */
export async function earningsFollowMetrics(ground: Ground, findings: Findings): Promise<void> {
  const accrued = await progressOf(ground, "earnings", "accrue-earnings", "attribution");
  const agreements = await Agreements.of(ground);
  const accruals = await accrualsOf(ground, (before, event) => reckonAgain(before, event, findings));
  findings.count("earnings", accruals.size);
  for await (const revisions of streams(ground, [PerfMetricIngested])) {
    findings.count("metrics");
    const latest = revisions.at(-1)!;
    const { metric_id, date } = latest.data;
    const [commissionStream, referralStream] = [
      earningStream(metric_id, "commission"),
      earningStream(metric_id, "referral"),
    ];
    const commission = accruals.get(commissionStream);
    const referral = accruals.get(referralStream);
    accruals.delete(commissionStream);
    accruals.delete(referralStream);
    if (!accrued.decided(latest)) {
      findings.count("metrics not yet accrued");
      continue;
    }
    const base = agreements.baseOf(latest.data);
    const inDays = agreements.inDays(latest.data);
    const referred = inDays && agreements.isReferred(latest.data);
    for (const earning of [commission, referral])
      if (earning) judge(revisions, earning, commission?.refused ?? null, findings);
    if (!commission && base > 0n && inDays)
      findings.found(
        placeOf(latest),
        `${date}: sales of ${formatCents(base)} earned nothing`,
        formatCents(base),
      );
    if (commission && referred && !referral)
      findings.found(
        placeOf(latest),
        `${date}: sales of ${formatCents(base)} earned nothing for who referred the creator`,
        formatCents(base),
      );
    for (const [earning, due] of [
      [commission, inDays],
      [referral, referred && commission !== undefined],
    ] as const)
      if (earning && !due && earning.amount !== 0n)
        findings.found(
          earning.place,
          `${date}: nothing was to be earned on this day`,
          formatE4(earning.amount),
        );
  }
  for (const { place, amount } of accruals.values())
    findings.found(place, "earned of no metric that was ever reported", formatE4(amount));
}
