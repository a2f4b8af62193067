import { settings } from "@tributary/runtime/client";
import { z } from "zod";

/** How far back reports are read, in days of the marketplace. */
export const syncSettings = settings(
  z.object({
    /** The daily reconcile: figures are restated for 28 days, so 30 are read anew. */
    SYNC_WINDOW_DAYS: z.coerce.number().int().min(1).default(30),
    /** The hourly look in between. */
    SYNC_RECENT_DAYS: z.coerce.number().int().min(1).default(16),
    /** Whether the server takes that look itself; browsers ask for it every hour anyway while somebody is there. */
    SYNC_HOURLY: z.enum(["on", "off"]).default("on"),
    /** The oldest day a performance report reaches (13 months, of the shortest months) and a products report; no pull asks for more. */
    PERFORMANCE_HISTORY_DAYS: z.coerce.number().int().min(1).default(390),
    PRODUCTS_HISTORY_DAYS: z.coerce.number().int().min(1).default(90),
  }),
);
