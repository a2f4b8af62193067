import { addDays, dayAt, instantOf } from "@tributary/contracts/dates";
import type { SyncStatus } from "@tributary/contracts/http/attribution";
import { route } from "@tributary/runtime/route";
import { blankSeller, sellers } from "../read-models/sellers.ts";
import { activeBrands } from "./active-brands.ts";

const PULL_TIME = "18:00";

/** When the next daily pull is due (ISO 8601). */
export function nextPull(now: string): string {
  const today = instantOf(dayAt(now), PULL_TIME);
  return Date.parse(now) < Date.parse(today) ? today : instantOf(addDays(dayAt(now), 1), PULL_TIME);
}

/** How fresh the figures are: of a brand itself, or of the brands a creator works with. */
export const syncStatus = route("GET /api/sync/status", {
  access: { as: ["brand", "creator"] },
  handle: async (_, asking): Promise<SyncStatus> => {
    const { brand_id } = asking.caller!;
    const ids = brand_id ? [brand_id] : await activeBrands(asking);
    const known = new Map((await asking.documents(sellers).many(ids)).map((one) => [one.brand_id, one]));
    return {
      brands: ids.map((id) => {
        const { connected, last_pull, completed } = known.get(id) ?? blankSeller(id);
        return {
          brand_id: id,
          amazon_connected: connected,
          last_pull_at: last_pull?.at ?? null,
          last_pull_rows: last_pull?.rows ?? 0,
          last_pull_changed: last_pull?.changed ?? 0,
          complete_through: completed?.through ?? null,
          outcome: completed?.outcome ?? null,
          next_pull_at: nextPull(asking.now),
        };
      }),
    };
  },
});
