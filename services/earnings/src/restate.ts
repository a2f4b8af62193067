import { daysBetween } from "@tributary/contracts/dates";
import type { DataOf } from "@tributary/contracts/event";
import type { PerfMetricIngested } from "@tributary/contracts/events/attribution";
import {
  EarningAdjusted,
  type EarningType,
  RestatementRefused,
  RestatementWithdrawn,
} from "@tributary/contracts/events/earnings";
import { earningId } from "@tributary/contracts/ids";
import { asCents, asE4, type Cents, percentOf } from "@tributary/contracts/money";
import type { Earning } from "./earning.ts";

/** Restatements of days further back than this need a person's eyes; the 60th day is still accepted. */
const RESTATABLE_DAYS = 60;

type Metric = DataOf<typeof PerfMetricIngested>;
type Accrued = Extract<Earning, { status: "accrued" }>;

function adjusted(type: EarningType, metric: Metric, booked: Accrued, base: Cents) {
  const delta = percentOf(asCents(base - booked.sales_amount), booked.percent);
  return EarningAdjusted({
    earning_id: earningId(metric.metric_id, type),
    earning_type: type,
    metric_id: metric.metric_id,
    link_id: metric.link_id,
    product_id: metric.product_id,
    brand_id: metric.brand_id,
    creator_id: booked.creator_id,
    referred_creator_id: booked.referred_creator_id,
    partnership_id: booked.partnership_id,
    date: metric.date,
    synced_on: metric.synced_on,
    from_revision: booked.revision,
    to_revision: metric.revision,
    from_sales_amount: booked.sales_amount,
    to_sales_amount: base,
    commission_rate: booked.percent,
    delta,
    amount: asE4(booked.amount + delta),
  });
}

/**
 * A later revision of an accrued metric: the difference to the accrued base at the recorded percents, for the commission and
 * the referral earning that there is, down to zero and up again. More than 60 days after the date it is refused and the
 * accrued base stays what it was (scenario rule 5). A revision decided before says nothing
 * new, nor does the repetition of what was refused.
 */
export function restate(
  metric: Metric,
  base: Cents,
  commission: Accrued,
  referral: Earning,
): {
  commission: ReturnType<typeof EarningAdjusted | typeof RestatementRefused | typeof RestatementWithdrawn>[];
  referral: ReturnType<typeof EarningAdjusted>[];
} {
  const { metric_id, link_id, brand_id, creator_id, date, synced_on, revision } = metric;
  const about = { metric_id, link_id, brand_id, creator_id, date, synced_on, revision };
  if (revision <= commission.heard_revision) return { commission: [], referral: [] };
  if (base === commission.sales_amount)
    return {
      commission: commission.refused_amount === null ? [] : [RestatementWithdrawn(about)],
      referral: [],
    };

  if (daysBetween(date, synced_on) > RESTATABLE_DAYS) {
    if (base === commission.refused_amount) return { commission: [], referral: [] };
    const refused = RestatementRefused({
      ...about,
      accrued_sales_amount: commission.sales_amount,
      reported_sales_amount: base,
    });
    return { commission: [refused], referral: [] };
  }
  return {
    commission: [adjusted("commission", metric, commission, base)],
    referral: referral.status === "accrued" ? [adjusted("referral", metric, referral, base)] : [],
  };
}
