import { addDays, type Day } from "@tributary/contracts/dates";
import type { DataOf } from "@tributary/contracts/event";
import type { PerfMetricIngested } from "@tributary/contracts/events/attribution";
import { EarningAccrued } from "@tributary/contracts/events/earnings";
import { inForce } from "@tributary/contracts/fees";
import { earningId, partnershipId } from "@tributary/contracts/ids";
import { percentOf } from "@tributary/contracts/money";
import type { Partnership } from "./facts/partnership.ts";
import { baseIn, baseOf, type Terms } from "./terms.ts";

/** The retailer's attribution window: sales so many days after the end of a partnership are still paid. */
const TAIL_DAYS = 14;

type Metric = DataOf<typeof PerfMetricIngested>;
type Accrued = ReturnType<typeof EarningAccrued>;

const paysNoMore = ({ ended_on }: Partnership, on: Day): boolean =>
  ended_on !== null && on > addDays(ended_on, TAIL_DAYS);

/** The creator's private percent if one is in force on the day, else the product's (scenario rule 3). */
function feeOn({ private_fee, product_fee }: Terms, on: Day) {
  const agreed = inForce(private_fee?.versions ?? [], on);
  const fee = agreed ?? inForce(product_fee.versions, on);
  if (!fee) throw new Error(`no percent is in force on ${on}, not even the one the product was listed with`);
  return {
    percent: fee.percent,
    rate: {
      scope: agreed ? ("private" as const) : ("product" as const),
      effective_from: fee.effective_from,
      set_by: fee.set_by,
    },
  };
}

/**
 * First accrual of a metric: its base at the percent in force on its date for the creator and, on top, at the referral
 * percent for who referred them. Nothing when the base is zero or the date lies outside of the partnership's days
 * (scenario rule 4). One level only.
 */
export function accrue(metric: Metric, terms: Terms): { commission: Accrued[]; referral: Accrued[] } {
  const { metric_id, link_id, product_id, brand_id, creator_id, date, synced_on, revision } = metric;
  const { partnership, referrer } = terms;
  const base = baseOf(metric, terms);
  if (base <= 0n || date < partnership.started_on || paysNoMore(partnership, date))
    return { commission: [], referral: [] };

  const sales = {
    metric_id,
    link_id,
    product_id,
    brand_id,
    date,
    synced_on,
    revision,
    commission_base: baseIn(terms, date),
    sales_amount: base,
  };
  const { percent, rate } = feeOn(terms, date);
  const commission = EarningAccrued({
    ...sales,
    earning_id: earningId(metric_id, "commission"),
    earning_type: "commission",
    creator_id,
    referred_creator_id: null,
    partnership_id: metric.partnership_id,
    commission_rate: percent,
    rate,
    amount: percentOf(base, percent),
  });

  const { referrer_creator_id, referral_percent } = partnership;
  if (referrer_creator_id === null || referral_percent === null || (referrer && paysNoMore(referrer, date)))
    return { commission: [commission], referral: [] };
  const referral = EarningAccrued({
    ...sales,
    earning_id: earningId(metric_id, "referral"),
    earning_type: "referral",
    creator_id: referrer_creator_id,
    referred_creator_id: creator_id,
    partnership_id: partnershipId(referrer_creator_id, brand_id),
    commission_rate: referral_percent,
    rate: { scope: "referral", effective_from: partnership.started_on, set_by: null },
    amount: percentOf(base, referral_percent),
  });
  return { commission: [commission], referral: [referral] };
}
