import { day } from "@tributary/contracts/dates";
import { job } from "@tributary/runtime/job";
import { z } from "zod";
import { JOB } from "../amazon/asking.ts";
import { GrantLost } from "../amazon/failures.ts";
import { inTheBrandsName } from "../connection/in-the-brands-name.ts";
import { connectedAccount } from "../pulling/known-to-us.ts";
import { BACKFILL_LINK, pullPerformance } from "../pulling/pull-performance.ts";

const Payload = z.object({ brand_id: z.string(), from: day, through: day });

/** Reads the days before the window of a link that the retailer has begun to show; they may hold sales hidden so far. */
export const backfillLink = job(BACKFILL_LINK.name, {
  run: async (running) => {
    const { brand_id, from, through } = Payload.parse(running.payload);
    const account = await connectedAccount(running, brand_id);
    if (!account) return undefined;
    try {
      await inTheBrandsName(running, brand_id, () =>
        pullPerformance(running, { account, run: "backfill", from, through, patience: JOB }),
      );
    } catch (error) {
      if (!(error instanceof GrantLost)) throw error;
    }
    return undefined;
  },
});
