import { PerfMetricIngested } from "@tributary/contracts/events/attribution";
import { creatorProductId, earningId, partnershipId } from "@tributary/contracts/ids";
import { notYet, to } from "@tributary/runtime/decision";
import { reaction } from "@tributary/runtime/reaction";
import { accrue } from "../accrue.ts";
import { earning } from "../earning.ts";
import { commissionBases } from "../facts/commission-bases.ts";
import { daysBegun, hasBegun } from "../facts/days-begun.ts";
import { partnerships } from "../facts/partnerships.ts";
import { privateFees } from "../facts/private-fees.ts";
import { productFees } from "../facts/product-fees.ts";
import { restate } from "../restate.ts";
import { baseOf } from "../terms.ts";

/**
 * Sales came in through a creator's link: the creator earns the fee in force that day, and the difference when the day is
 * restated; who referred them earns alongside. A row of a link with few clicks is masked to zeros, and zeros begin nothing.
 */
export const accrueEarnings = reaction("accrue-earnings", {
  on: [PerfMetricIngested],

  reads: ({ data: { metric_id, partnership_id, product_id } }) => ({
    commission: earning.at(earningId(metric_id, "commission")),
    referral: earning.at(earningId(metric_id, "referral")),
    partnership: partnerships.at(partnership_id),
    product_fee: productFees.at(product_id),
    private_fee: privateFees.at(creatorProductId(partnership_id, product_id)),
    catalog_days: daysBegun.at("catalog"),
    program_days: daysBegun.at("program"),
  }),

  andThen: ({ data: { brand_id } }, { partnership }) => ({
    bases: partnership ? [commissionBases.at(partnership.program_id)] : [],
    referrers: partnership?.referrer_creator_id
      ? [partnerships.at(partnershipId(partnership.referrer_creator_id, brand_id))]
      : [],
  }),

  decide: ({ data: metric }, read) => {
    const { commission, referral, partnership, product_fee, private_fee } = read;
    const { date, partnership_id, product_id } = metric;
    const sold = metric.total_attributed_sales_14d > 0n || metric.attributed_sales_14d > 0n;
    if (!sold && commission.status === "none") return [];

    if (!hasBegun(read.catalog_days, date)) return notYet(`catalog has not begun ${date} in every partition`);
    if (!hasBegun(read.program_days, date)) return notYet(`program has not begun ${date} in every partition`);
    if (!partnership) return notYet(`the partnership ${partnership_id} is not known`);
    if (!product_fee) return notYet(`the fee of the product ${product_id} is not known`);

    // A referrer not heard of can't have ended 14 days before the date: that would have been said before the day began.
    const terms = {
      partnership,
      bases: read.bases[0] ?? null,
      product_fee,
      private_fee,
      referrer: read.referrers[0] ?? null,
    };
    const booked =
      commission.status === "none"
        ? accrue(metric, terms)
        : restate(metric, baseOf(metric, terms), commission, referral);
    return [
      to(earning.at(earningId(metric.metric_id, "commission")), ...booked.commission),
      to(earning.at(earningId(metric.metric_id, "referral")), ...booked.referral),
    ].filter(({ events }) => events.length > 0);
  },
});
