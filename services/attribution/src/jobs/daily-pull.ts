import { addDays, day, dayAt } from "@tributary/contracts/dates";
import { SyncCompleted } from "@tributary/contracts/events/attribution";
import { schedule, to } from "@tributary/runtime/decision";
import { job, type Running } from "@tributary/runtime/job";
import { z } from "zod";
import { JOB } from "../amazon/asking.ts";
import { GrantLost } from "../amazon/failures.ts";
import { inTheBrandsName } from "../connection/in-the-brands-name.ts";
import { connectedAccount } from "../pulling/known-to-us.ts";
import { pullPerformance } from "../pulling/pull-performance.ts";
import { links } from "../read-models/links.ts";
import { syncSettings } from "../settings.ts";
import { sync } from "../sync.ts";
import { hourlyPull } from "./hourly-pull.ts";

type Outcome = "complete" | "no_links" | "disconnected";

const Payload = z.object({ brand_id: z.string(), on: day });

/**
 * The daily reconcile of one brand: what the retailer says of the last 30 days is recorded, and then, in one word, that it is.
 * A pull that fails says nothing and is tried again; the next day's covers it.
 */
export const dailyPull = job("daily-pull", {
  run: async (running) => {
    const { brand_id, on } = Payload.parse(running.payload);
    if (on < dayAt(running.now)) return undefined;
    const outcome = await pull(running, brand_id);
    const hourly = outcome === "complete" && running.use(syncSettings).SYNC_HOURLY === "on";
    const heads = [...(await running.heads())];
    await running.act({ state: sync.at(brand_id) }, ({ state }, { now }) =>
      state.through !== null && state.through >= on
        ? []
        : [
            to(sync.at(brand_id), SyncCompleted({ brand_id, through: on, heads, outcome })),
            ...(hourly ? [schedule(hourlyPull, brand_id, anHourAfter(now), { brand_id })] : []),
          ],
    );
    return undefined;
  },
});

async function pull(running: Running, brand_id: string): Promise<Outcome> {
  const account = await connectedAccount(running, brand_id);
  if (!account) return "disconnected";
  const { items } = await running.documents(links).where({ brand_id }).page({ limit: 1 });
  if (items.length === 0) return "no_links";
  const through = dayAt(running.now);
  const { SYNC_WINDOW_DAYS, PERFORMANCE_HISTORY_DAYS } = running.use(syncSettings);
  const from = addDays(through, 1 - Math.min(SYNC_WINDOW_DAYS, PERFORMANCE_HISTORY_DAYS));
  try {
    await inTheBrandsName(running, brand_id, () =>
      pullPerformance(running, { account, run: "daily", from, through, patience: JOB }),
    );
    return "complete";
  } catch (error) {
    if (error instanceof GrantLost) return "disconnected";
    throw error;
  }
}

const anHourAfter = (now: string): string => new Date(Date.parse(now) + 3_600_000).toISOString();
