import { settings } from "@tributary/runtime/client";
import { z } from "zod";

/** How far back reports are read, in days of the marketplace. */
export const syncSettings = settings(
  z.object({
    /** The daily reconcile: figures are restated for 28 days, so 30 are read anew. */
    SYNC_WINDOW_DAYS: z.coerce.number().int().min(1).default(30),
    /** The hourly look in between. */
    SYNC_RECENT_DAYS: z.coerce.number().int().min(1).default(16),
    /** Off where a virtual clock need not stop every hour. */
    SYNC_HOURLY: z.enum(["on", "off"]).default("on"),
    /** The oldest day a performance report reaches (13 months) and a products report. */
    PERFORMANCE_HISTORY_DAYS: z.coerce.number().int().min(1).default(395),
    PRODUCTS_HISTORY_DAYS: z.coerce.number().int().min(1).default(90),
  }),
);
