import { addMonths, type Month, monthOf } from "@tributary/contracts/dates";
import { EarningBooked, RevisionBooked } from "@tributary/contracts/events/billing";
import { EarningAccrued, EarningAdjusted } from "@tributary/contracts/events/earnings";
import { cycleId, statementId } from "@tributary/contracts/ids";
import { anyhow, notYet, to } from "@tributary/runtime/decision";
import { reaction } from "@tributary/runtime/reaction";
import { booking } from "../booking.ts";
import { cycle, takesAmounts } from "../cycle.ts";
import { monthToBook } from "../cycle-months.ts";
import { months } from "../facts/calendar.ts";
import { statement, statementKey } from "../statement.ts";

type Calendar = { months: { month: Month; status: "open" | "closed" }[] } | null;

/** The date's own month, and from the earliest known to be open the two that follow, in case one has closed since. */
function candidates(own: Month, calendar: Calendar): Month[] {
  const earliest = calendar?.months.find(({ status }) => status === "open")?.month;
  if (!earliest) return [];
  return [...new Set([own, earliest, addMonths(earliest, 1), addMonths(earliest, 2)])];
}

/**
 * Something was earned, or restated: it is booked once for ever, in its date's month while that is open, otherwise in the
 * earliest open one. The cycles read are guards: nothing enters a month after it has closed.
 */
export const bookEarning = reaction("book-earning", {
  on: [EarningAccrued, EarningAdjusted],
  reads: ({ data: { earning_id } }) => ({ booked: booking.at(earning_id), calendar: months }),
  andThen: ({ data: { date } }, { calendar }) => ({
    cycles: candidates(monthOf(date), calendar).map((month) => cycle.at(month)),
  }),
  decide: (heard, { booked, calendar, cycles }) => {
    const { data } = heard;
    const accrued = heard.type === "EarningAccrued";
    const revision = heard.type === "EarningAccrued" ? heard.data.revision : heard.data.to_revision;
    const amount = heard.type === "EarningAccrued" ? heard.data.amount : heard.data.delta;
    if (accrued ? booked.entries > 0 : revision <= booked.revision) return [];
    if (!accrued && booked.entries === 0)
      throw new Error(`earning ${data.earning_id} is adjusted before it was accrued`);

    const own = monthOf(data.date);
    const status = candidates(own, calendar).map((month, at) => {
      const of = cycles[at]!;
      return [month, of.status === "none" ? "none" : takesAmounts(of) ? "open" : "closed"] as const;
    });
    const month = monthToBook(own, new Map(status));
    if (!month) return notYet(`no month is open yet for an amount of ${data.date}`);

    const { earning_id, brand_id, creator_id, earning_type } = data;
    const entry = booked.entries + 1;
    const entered = EarningBooked({
      statement_id: statementId(month, brand_id, creator_id),
      cycle_id: cycleId(month),
      month,
      brand_id,
      creator_id,
      earning_id,
      entry,
      revision,
      earning_type,
      booked_as: month === own ? earning_type : "adjustment",
      amount,
      date: data.date,
      link_id: data.link_id,
      product_id: data.product_id,
      metric_id: data.metric_id,
      referred_creator_id: data.referred_creator_id,
      commission_rate: data.commission_rate,
    });
    return [
      anyhow(statement.at(statementKey(month, brand_id, creator_id)), entered),
      to(booking.at(earning_id), RevisionBooked({ earning_id, entry, revision, month })),
    ];
  },
});
