import type { Advertisers } from "@tributary/contracts/http/attribution";
import { route } from "@tributary/runtime/route";
import type { z } from "zod";
import { accountOf, answering } from "../connection/in-the-brands-name.ts";
import { learnAdvertisers } from "../connection/learn-advertisers.ts";

/** The advertisers of the connected profile; a seller has one. */
export const getAdvertisers = route("GET /api/amazon/get-advertisers", {
  access: { as: "brand" },
  handle: async (_, asking): Promise<z.infer<typeof Advertisers>> => {
    const account = await accountOf(asking, asking.caller!.brand_id!);
    const advertisers = await answering(asking, account.brand_id, () => learnAdvertisers(asking, account));
    return { advertisers };
  },
});
