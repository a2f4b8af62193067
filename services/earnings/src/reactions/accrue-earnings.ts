import { PerfMetricIngested } from "@tributary/contracts/events/attribution";
import { earningId, partnershipId } from "@tributary/contracts/ids";
import { notYet, to } from "@tributary/runtime/decision";
import { reaction } from "@tributary/runtime/reaction";
import { accrue } from "../accrue.ts";
import { earning } from "../earning.ts";
import { commissionBases, daysBegun, partnership, privateFee, productFee } from "../facts/agreements.ts";
import { hasBegun } from "../facts/days-begun.ts";
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
    creator: partnership(partnership_id),
    general: productFee(product_id),
    own: privateFee(partnership_id, product_id),
    catalog: daysBegun("catalog"),
    program: daysBegun("program"),
  }),

  andThen: ({ data: { brand_id } }, { creator }) => {
    const { program_id, referrer_creator_id } = creator?.partnership ?? {};
    return {
      base: program_id ? [commissionBases(program_id)] : [],
      through: referrer_creator_id ? [partnership(partnershipId(referrer_creator_id, brand_id))] : [],
    };
  },

  decide: (
    { data: metric },
    { commission, referral, creator, general, own, catalog, program, base, through },
  ) => {
    const { date, partnership_id, product_id } = metric;
    const sold = metric.total_attributed_sales_14d > 0n || metric.attributed_sales_14d > 0n;
    if (!sold && commission.status === "none") return [];

    if (!hasBegun(catalog?.days, date)) return notYet(`catalog has not begun ${date} in every partition`);
    if (!hasBegun(program?.days, date)) return notYet(`program has not begun ${date} in every partition`);
    if (!creator?.partnership) return notYet(`the partnership ${partnership_id} is not known`);
    if (!general?.fee) return notYet(`the fee of the product ${product_id} is not known`);

    // A referrer not heard of can't have ended 14 days before the date: that would have been said before the day began.
    const terms = {
      partnership: creator.partnership,
      bases: base[0]?.bases ?? null,
      product_fee: general.fee,
      private_fee: own?.fee ?? null,
      referrer: through[0]?.partnership ?? null,
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
