import { addDays, type Day, instantOf } from "@tributary/contracts/dates";
import type { BillingResult } from "@tributary/contracts/http/billing";
import type { Act } from "./acts.ts";
import { ourBooks } from "./books.ts";
import { perform } from "./perform.ts";
import { shop } from "./shopping.ts";
import type { Stage } from "./stage.ts";
import type { Story } from "./story.ts";
import type { Telling } from "./telling.ts";

/** People are up at nine. */
const MORNING = "09:00";
const LAST_MINUTE = "23:59";
/** What one does and another builds on: they come when all have heard of it. */
const FOR_OTHERS: ReadonlySet<Act["do"]> = new Set<Act["do"]>(["approve", "accept", "refer"]);

/** The instant at which a story's clock must stand before it is played. */
export const beginningOf = ({ prologue }: Story): string => instantOf(prologue, MORNING);

/** Plays a story from its prologue to the last minute of its last day, and tells it. */
export async function play(story: Story, stage: Stage, telling: Telling, signal: AbortSignal): Promise<void> {
  const { prologue, first, last } = story;
  const months = new Set<string>();
  for (let day = prologue; day <= last; day = addDays(day, 1)) {
    signal.throwIfAborted();
    if (day > prologue && (day >= first || story.on(day).length > 0))
      await stage.partners.moveTo(instantOf(day, MORNING));
    if (day >= first) await tellCloses(day, months, stage, telling);
    await playDay(day, story, stage, telling);
  }
  await stage.partners.moveTo(instantOf(last, LAST_MINUTE));
}

async function playDay(day: Day, story: Story, stage: Stage, telling: Telling): Promise<void> {
  const acts = story.on(day);
  for (const act of acts) {
    if (act.do === "visit" || act.do === "return") continue;
    telling.tell(day, await perform(act, stage));
    if (FOR_OTHERS.has(act.do)) await stage.partners.moveTo(instantOf(day, MORNING));
  }
  const told = await shop(
    acts.filter((act) => act.do === "visit" || act.do === "return"),
    stage,
  );
  if (told) telling.tell(day, told);
}

/** Tells of every month that has closed since this was last asked: what was charged, what is carried, what was paid. */
async function tellCloses(day: Day, told: Set<string>, stage: Stage, telling: Telling): Promise<void> {
  if (day.slice(8) !== "04") return;
  const { cycles } = await stage.admin.get<BillingResult>("/api/billing/result");
  for (const { month, status, lines } of cycles) {
    if (told.has(month) || lines.length === 0) continue;
    told.add(month);
    telling.tell(day, `${month} has closed and is ${status}`);
    for (const line of lines) {
      const parts = ["commission", "referral", "adjustments", "carried_in"] as const;
      const of = parts
        .filter((part) => line[part] !== "0.0000")
        .map((part) => `${part.replace("_", " ")} ${line[part]}`);
      const who = `${stage.keyOf(line.brand_id)} owes ${stage.keyOf(line.creator_id)} ${line.net} (${of.join(", ")})`;
      const what =
        line.charged === "0.00"
          ? `carried: ${line.carried_reason ?? "nothing is due"}`
          : `charged ${line.charged}${line.gross ? ` (gross ${line.gross})` : ""}, ${line.charge_status}, paid ${line.paid} by ${line.rail}`;
      telling.tell(day, `  ${who}: ${what}`);
    }
  }
  const { ledger_sum, difference } = await ourBooks(stage.admin);
  telling.tell(day, `  our books add up to ${ledger_sum}, and lose ${difference} on the way`);
}
