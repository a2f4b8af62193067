import type { Context } from "../core/partner.ts";
import { become, workThrough } from "./paying.ts";
import type { Change, State } from "./state.ts";
import { Work } from "./work.ts";

/** When PayPal next does something by itself. */
export function nextDue({ rows }: State): string | null {
  let first: string | null = null;
  for (const { at } of rows.due.values()) if (first === null || at < first) first = at;
  return first;
}

/** Works through the batches that came in, and returns what nobody has claimed for 30 days. */
export function settle(ctx: Context<State, Change>): void {
  const now = ctx.now().toISOString();
  for (const { id, what } of [...ctx.state.rows.due.values()].filter(({ at }) => at <= now)) {
    const work = new Work(ctx);
    work.drop("due", id);
    if (what === "process") workThrough(work, work.get("batch", id));
    else {
      const item = work.get("item", id);
      become(work, item, "RETURNED", item.error);
    }
    work.commit();
  }
}
