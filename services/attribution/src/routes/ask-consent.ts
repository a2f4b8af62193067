import type { AuthUrl } from "@tributary/contracts/http/attribution";
import { route } from "@tributary/runtime/route";
import type { z } from "zod";
import { amazon } from "../amazon/amazon.ts";

/** Where a brand goes to let us read its reports; good for ten minutes and for this brand only. */
export const askConsent = route("GET /api/amazon/auth-url", {
  access: { as: "brand" },
  handle: async (_, asking): Promise<z.infer<typeof AuthUrl>> => ({
    url: await asking.use(amazon).askConsent(asking.caller!.brand_id!),
  }),
});
