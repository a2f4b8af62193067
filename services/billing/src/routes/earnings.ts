import type { EarningState } from "@tributary/contracts/http/billing";
import { asE4, centsToE4, formatE4, NO_E4, sum } from "@tributary/contracts/money";
import { route } from "@tributary/runtime/route";
import { z } from "zod";
import { charges } from "../read-models/charges.ts";
import { earningEntries } from "../read-models/earning-entries.ts";
import { everything } from "../read-models/everything.ts";
import { type StatementDocument, statements } from "../read-models/statements.ts";
import { netOf } from "../statement-line.ts";

type Paid = (charge_id: string | null) => boolean;

function stateOf(statement: StatementDocument | undefined, paid: Paid): EarningState {
  if (!statement?.issued) return "pending";
  if (!statement.charge_id) return "carried";
  return paid(statement.charge_id) ? "paid" : "charging";
}

/** What a statement adds to the totals. What was carried counts where it stands now: in the month it was carried to. */
const worth = (of: StatementDocument) =>
  of.issued ? (of.charge_id ? centsToE4(of.charged) : NO_E4) : netOf(of);

/** A creator's earnings: how much stands in which state, and entry by entry, the latest dates first. */
export const showEarnings = route("GET /api/earnings", {
  access: { as: "creator" },
  input: z.object({ after: z.string().optional(), brand_id: z.string().optional() }),
  handle: async ({ after, brand_id }, asking) => {
    const creator_id = asking.caller!.creator_id!;
    const [lines, paying] = await Promise.all([
      everything(asking.documents(statements).where({ creator_id, brand_id })),
      everything(asking.documents(charges).where({ creator_id })),
    ]);
    const platform = await asking
      .documents(charges)
      .many([...new Set(lines.flatMap(({ charge_id }) => charge_id ?? []))]);
    const settled = new Set(
      [...paying, ...platform]
        .filter(({ fee_cents }) => fee_cents !== null)
        .map(({ charge_id }) => charge_id),
    );
    const paid: Paid = (charge_id) => charge_id !== null && settled.has(charge_id);
    const byId = new Map(lines.map((line) => [line.statement_id, line]));
    const inState = (state: EarningState) => lines.filter((line) => stateOf(line, paid) === state);
    const open = inState("pending");
    const { items, next } = await asking
      .documents(earningEntries)
      .where({ creator_id, brand_id })
      .sort("-date", "-entry_id")
      .page({ after });
    return {
      totals: {
        pending: formatE4(asE4(sum(open.map(worth)) - sum(open.map(({ carried_in }) => carried_in)))),
        carried: formatE4(sum(open.map(({ carried_in }) => carried_in))),
        charging: formatE4(sum(inState("charging").map(worth))),
        paid: formatE4(sum(inState("paid").map(worth))),
        referral: formatE4(sum(lines.map(({ referral }) => referral))),
      },
      items: items.map(({ entry_id, amount, ...entry }) => ({
        ...entry,
        amount: formatE4(amount),
        state: stateOf(byId.get(entry.statement_id), paid),
      })),
      next,
    };
  },
});
