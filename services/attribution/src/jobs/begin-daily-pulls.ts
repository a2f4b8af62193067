import { dayAt, MARKETPLACE_ZONE } from "@tributary/contracts/dates";
import { schedule } from "@tributary/runtime/decision";
import { job } from "@tributary/runtime/job";
import { sellers } from "../read-models/sellers.ts";
import { dailyPull } from "./daily-pull.ts";

/** At six in the evening every brand that was ever connected gets its pull, each as a job of its own. */
export const beginDailyPulls = job("begin-daily-pulls", {
  cron: { rule: "0 18 * * *", zone: MARKETPLACE_ZONE },
  run: async (running) => {
    const on = dayAt(running.now);
    let after: string | null = null;
    do {
      const page: { items: { brand_id: string }[]; next: string | null } = await running
        .documents(sellers)
        .sort("brand_id")
        .page({ after, limit: 500 });
      await running.act({}, (_, { now }) =>
        page.items.map(({ brand_id }) => schedule(dailyPull, `${brand_id}:${on}`, now, { brand_id, on })),
      );
      after = page.next;
    } while (after !== null);
    return undefined;
  },
});
