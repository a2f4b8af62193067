import { addMonths, type Day, monthOf } from "@tributary/contracts/dates";
import type { BillingResult, StatementLine } from "@tributary/contracts/http/billing";
import { type E4, formatE4, parseE4, sum } from "@tributary/contracts/money";
import { ourBooks } from "./books.ts";
import type { Stage } from "./stage.ts";
import { count, type Telling } from "./telling.ts";

/** Months close in the night to the third. */
const CLOSE = "03";
const WEEKLY = ["08", "15", "22", "29"];

/** Tells in the morning what the night and the evening before did to the money: closes, and every week what has been earned. */
export async function tellMoney(day: Day, stage: Stage, telling: Telling): Promise<void> {
  const date = day.slice(8);
  if (date !== CLOSE && !WEEKLY.includes(date)) return;
  const result = await stage.admin.get<BillingResult>("/api/billing/result");
  if (WEEKLY.includes(date)) return telling.tell(day, earned(result.open));
  const closed = result.cycles.find(({ month }) => month === addMonths(monthOf(day), -1));
  if (!closed || closed.lines.length === 0) return;
  telling.tell(day, `${closed.month} has closed and is ${closed.status}`);
  for (const line of closed.lines) telling.tell(day, `  ${settled(line, stage)}`);
  const { ledger_sum, difference } = await ourBooks(stage.admin);
  telling.tell(day, `  our books add up to ${ledger_sum}, and lose ${difference} on the way`);
}

function earned(open: readonly StatementLine[]): string {
  const total = (of: readonly (keyof StatementLine & ("commission" | "referral" | "adjustments"))[]): E4 =>
    sum(open.flatMap((line) => of.map((part) => parseE4(line[part])!)));
  const all = formatE4(total(["commission", "referral", "adjustments"]));
  const adjusted = formatE4(total(["adjustments"]));
  const of = adjusted === "0.0000" ? "" : `, of which ${adjusted} for sales of closed months`;
  return `Earned since the last close: ${all} in ${count(open.length, "partnership")}${of}`;
}

function settled(line: StatementLine, stage: Stage): string {
  const parts = (["commission", "referral", "adjustments", "carried_in"] as const)
    .filter((part) => line[part] !== "0.0000")
    .map((part) => `${part.replace("_", " ")} ${line[part]}`);
  const who = `${stage.keyOf(line.brand_id)} owes ${stage.keyOf(line.creator_id)} ${line.net} (${parts.join(", ")})`;
  if (line.charged === "0.00") return `${who}: carried, ${line.carried_reason ?? "for nothing is due"}`;
  const gross = line.gross ? ` (gross ${line.gross})` : "";
  return `${who}: charged ${line.charged}${gross}, ${line.charge_status}, paid ${line.paid} by ${line.rail}`;
}
