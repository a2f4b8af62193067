import { notFound } from "@tributary/runtime/refusal";
import { route } from "@tributary/runtime/route";
import { z } from "zod";
import { referralSettings } from "../read-models/referral-settings.ts";

/** What a partner earns for referring others: the brand that pays it and the creator who earns it may know. */
export const showReferralSettings = route("GET /api/brand-referral-settings/:partnershipId", {
  access: { as: ["brand", "creator"] },
  input: z.object({ partnershipId: z.string() }),
  handle: async ({ partnershipId }, { caller, documents }) => {
    const { brand_id, creator_id } = caller!;
    const own = brand_id ? { brand_id } : { creator_id: creator_id! };
    const [settings] = await documents(referralSettings)
      .where({ ...own, partnership_id: partnershipId })
      .all();
    if (!settings) throw notFound("Referral settings");
    return settings;
  },
});
