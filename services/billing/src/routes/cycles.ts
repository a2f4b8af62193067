import type { CycleSummary } from "@tributary/contracts/http/billing";
import { asCents, formatCents, formatE4, NO_CENTS, sum } from "@tributary/contracts/money";
import { notFound } from "@tributary/runtime/refusal";
import { type Asking, route } from "@tributary/runtime/route";
import { z } from "zod";
import { type ChargeDocument, charges, chargeView } from "../read-models/charges.ts";
import { cycles } from "../read-models/cycles.ts";
import { everything } from "../read-models/everything.ts";
import { type StatementDocument, statements } from "../read-models/statements.ts";
import { cycleStatus, isLine, statementLine } from "../statement-line.ts";

type Cycle = Awaited<ReturnType<typeof everyCycle>>[number];

const everyCycle = (asking: Asking) => everything(asking.documents(cycles).sort("-month"));

function summary(
  cycle: Cycle,
  lines: readonly StatementDocument[],
  paying: readonly ChargeDocument[],
): CycleSummary {
  const { cycle_id, month, period_start, period_end } = cycle;
  const total = (of: "commission" | "referral" | "adjustments" | "carried_in" | "carried_out" | "rounding") =>
    formatE4(sum(lines.map((line) => line[of])));
  const charged = sum(lines.map((line) => line.charged));
  const gross = sum(paying.map((charge) => charge.amount_grossed_cents));
  const settled = new Set(
    paying.filter(({ fee_cents }) => fee_cents !== null).map(({ charge_id }) => charge_id),
  );
  const asked = lines.filter(({ charge_id }) => charge_id !== null);
  return {
    ...{ cycle_id, month, period_start, period_end },
    status: cycleStatus(cycle.status, paying),
    commission: total("commission"),
    referral: total("referral"),
    adjustments: total("adjustments"),
    carried_in: total("carried_in"),
    carried_out: total("carried_out"),
    rounding: total("rounding"),
    charged: formatCents(charged),
    fees: formatCents(gross > 0n ? asCents(gross - charged) : NO_CENTS),
    gross: formatCents(gross),
    creators: lines.length,
    creators_paid: asked.filter(({ charge_id }) => settled.has(charge_id!)).length,
  };
}

/** The months of a brand, the latest first. */
export const listCycles = route("GET /api/billing/cycles", {
  access: { as: "brand" },
  handle: async (_, asking) => {
    const brand_id = asking.caller!.brand_id!;
    const [months, lines, paying] = await Promise.all([
      everyCycle(asking),
      everything(asking.documents(statements).where({ brand_id })),
      everything(asking.documents(charges).where({ brand_id })),
    ]);
    const items = months.map((cycle) =>
      summary(
        cycle,
        lines.filter((line) => line.month === cycle.month && isLine(line)),
        paying.filter((charge) => charge.month === cycle.month),
      ),
    );
    return { items };
  },
});

/** One month of a brand: every creator's line and every charge. */
export const showCycle = route("GET /api/billing/cycles/:cycle_id", {
  access: { as: "brand" },
  input: z.object({ cycle_id: z.string() }),
  handle: async ({ cycle_id }, asking) => {
    const brand_id = asking.caller!.brand_id!;
    const cycle = await asking.documents(cycles).get(cycle_id);
    if (!cycle) throw notFound("Cycle");
    const { month } = cycle;
    const [found, paying] = await Promise.all([
      everything(asking.documents(statements).where({ brand_id, month }).sort("creator_id")),
      everything(asking.documents(charges).where({ brand_id, month }).sort("creator_id")),
    ]);
    const lines = found.filter(isLine);
    const byId = new Map(paying.map((charge) => [charge.charge_id, charge]));
    return {
      ...summary(cycle, lines, paying),
      statements: lines.map((line) => statementLine(line, byId.get(line.charge_id ?? ""))),
      charges: paying.map(chargeView),
    };
  },
});
