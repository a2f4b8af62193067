import { formatCents } from "@tributary/contracts/money";
import { route } from "@tributary/runtime/route";
import { charges } from "../read-models/charges.ts";
import { cycles } from "../read-models/cycles.ts";
import { everything } from "../read-models/everything.ts";
import { statements } from "../read-models/statements.ts";
import { cycleStatus, isLine, statementLine } from "../statement-line.ts";

/** Everything billing knows of a whole run, sorted by month, brand and creator (scenario rules, Result). */
export const showResult = route("GET /api/billing/result", {
  access: { as: "admin" },
  handle: async (_, asking) => {
    const [months, lines, paying] = await Promise.all([
      everything(asking.documents(cycles).sort("month")),
      everything(asking.documents(statements).sort("month", "brand_id", "creator_id")),
      everything(asking.documents(charges).sort("month", "brand_id", "creator_id")),
    ]);
    const byId = new Map(paying.map((charge) => [charge.charge_id, charge]));
    const shown = lines.filter(isLine).map((line) => statementLine(line, byId.get(line.charge_id ?? "")));
    const closed = months.filter(({ status }) => status === "closed");
    const closedMonths = new Set<string>(closed.map(({ month }) => month));
    return {
      cycles: closed.map(({ month, status }) => ({
        month,
        status: cycleStatus(
          status,
          paying.filter((charge) => charge.month === month),
        ),
        lines: shown.filter((line) => line.month === month),
      })),
      platform_charges: paying
        .filter(({ kind }) => kind === "platform")
        .map(({ month, brand_id, charge_id, amount, amount_grossed_cents, status }) => ({
          ...{ month, brand_id, charge_id, status },
          net: formatCents(amount),
          gross: formatCents(amount_grossed_cents),
        })),
      open: shown.filter((line) => !closedMonths.has(line.month)),
    };
  },
});
