import { addDays, dayAt } from "@tributary/contracts/dates";
import { job } from "@tributary/runtime/job";
import { z } from "zod";
import { JOB } from "../amazon/asking.ts";
import { GrantLost } from "../amazon/failures.ts";
import { inTheBrandsName } from "../connection/in-the-brands-name.ts";
import { connectedAccount } from "../pulling/known-to-us.ts";
import { pullPerformance } from "../pulling/pull-performance.ts";
import { syncSettings } from "../settings.ts";

/** Between two reconciles the last 16 days are looked at every hour, from a brand's first complete pull until it disconnects. */
export const hourlyPull = job("hourly-pull", {
  run: async (running) => {
    const { brand_id } = z.object({ brand_id: z.string() }).parse(running.payload);
    const { SYNC_HOURLY, SYNC_RECENT_DAYS } = running.use(syncSettings);
    const account = await connectedAccount(running, brand_id);
    if (!account || SYNC_HOURLY === "off") return undefined;
    const through = dayAt(running.now);
    const from = addDays(through, 1 - SYNC_RECENT_DAYS);
    try {
      await inTheBrandsName(running, brand_id, () =>
        pullPerformance(running, { account, run: "hourly", from, through, patience: JOB }),
      );
    } catch (error) {
      if (error instanceof GrantLost) return undefined;
      throw error;
    }
    return { again: new Date(Date.parse(running.now) + 3_600_000).toISOString() };
  },
});
