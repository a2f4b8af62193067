import type { ExplainNode } from "@tributary/contracts/http/explain";
import { type Cents, centsToE4, formatCents, formatE4 } from "@tributary/contracts/money";
import { ownedBy } from "@tributary/runtime/caller";
import { notFound } from "@tributary/runtime/refusal";
import { route } from "@tributary/runtime/route";
import { z } from "zod";
import { type EarningDocument, earnings } from "./read-models/earnings.ts";

const dollars = (amount: Cents): string => formatCents(amount).replace(/^-?/, (sign) => `${sign}$`);

/**
 * One entry of an earning as a level of an explanation: the accrual is the base of a metric's revision at the percent kept,
 * an adjustment the base of the later revision less that of the earlier. Who referred a creator may not read that creator's reports
 * (`readsReports` false): for them the level ends here. Null when the earning has no such entry.
 */
export function explainEntry(
  earning: EarningDocument,
  id: string,
  readsReports: boolean,
): ExplainNode | null {
  const entry = earning.entries.find((_, index) => `${earning.id}@${index + 1}` === id);
  if (!entry) return null;
  const percent = earning.commission_rate;
  const metric = (revision: number, rate: number) => ({
    kind: "metric" as const,
    id: `${earning.metric_id}@${revision}`,
    value: earning.commission_base,
    percent: rate,
  });
  const whose = earning.earning_type === "referral" ? "Referral commission on" : "Commission on";
  return {
    kind: "earning",
    id,
    title:
      entry.from_revision === null
        ? `${whose} sales of ${dollars(entry.sales_amount)} on ${earning.date}`
        : `${whose} sales of ${earning.date}, restated by ${dollars(entry.sales_amount)}`,
    amounts: { delta: formatE4(entry.amount), sales_amount: formatE4(centsToE4(entry.sales_amount)) },
    explains: "delta",
    formula: entry.from_revision === null ? `sales x ${percent} %` : `restated sales x ${percent} %`,
    parts: readsReports
      ? []
      : [{ label: `${percent} % of what the creator you referred sold`, amount: formatE4(entry.amount) }],
    children: readsReports
      ? [
          metric(entry.to_revision, percent),
          ...(entry.from_revision === null ? [] : [metric(entry.from_revision, -percent)]),
        ]
      : [],
    recorded: {
      at: entry.recorded_at,
      by: entry.recorded_by,
      event_id: entry.event_id,
      stream: entry.stream,
    },
    details: {
      earning_type: earning.earning_type,
      date: earning.date,
      synced_on: entry.synced_on,
      link_id: earning.link_id,
      product_id: earning.product_id,
      referred_creator_id: earning.referred_creator_id,
      commission_base: earning.commission_base,
      commission_rate: percent,
      rate_scope: earning.rate_scope,
      rate_effective_from: earning.rate_effective_from,
      rate_set_by: earning.rate_set_by,
    },
  };
}

/** Why an earning is what it is, entry by entry; shown to the brand that pays and to the creator who is paid. */
export const explainEarning = route("GET /api/explain/earning/:id", {
  access: { as: ["brand", "creator"] },
  input: z.object({ id: z.string() }),
  handle: async ({ id }, { caller, documents }) => {
    const earning = await documents(earnings).get(id.slice(0, id.lastIndexOf("@")));
    const pays = earning !== null && ownedBy(earning.brand_id, caller);
    if (!earning || !(pays || ownedBy(earning.creator_id, caller))) throw notFound("Earning");
    const explained = explainEntry(earning, id, pays || earning.earning_type === "commission");
    if (!explained) throw notFound("Earning");
    return explained;
  },
});
