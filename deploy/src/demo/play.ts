import { addDays, type Day, instantOf } from "@tributary/contracts/dates";
import type { Act } from "./acts.ts";
import { perform } from "./perform.ts";
import { shop } from "./shopping.ts";
import type { Stage } from "./stage.ts";
import type { Story } from "./story.ts";
import { tellMoney } from "./tell-money.ts";
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
  for (let day = prologue; day <= last; day = addDays(day, 1)) {
    signal.throwIfAborted();
    if (day > prologue && (day >= first || story.on(day).length > 0))
      await stage.partners.moveTo(instantOf(day, MORNING));
    if (day >= first) await tellMoney(day, stage, telling);
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
