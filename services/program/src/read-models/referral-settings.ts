import { ReferralSettingsSet } from "@tributary/contracts/events/program";
import { ReferralSettings } from "@tributary/contracts/http/program";
import { readModel, show } from "@tributary/runtime/read-models/read-model";
import { notFound } from "@tributary/runtime/refusal";
import { when } from "@tributary/runtime/stream";
import { z } from "zod";
import { referralNotFound } from "../referral.ts";
import { creators } from "./creators.ts";

type SettingsDoc = z.infer<typeof ReferralSettings>;

/** What each partner earns for referring others, and by which code. */
export const referralSettings = readModel("referral-settings", ReferralSettings, {
  on: [when(ReferralSettingsSet, (_, { data }) => data)],
  key: ({ data }) => data.partnership_id,
  indexes: [["referral_code"]],
  routes: {
    "GET /api/brand-referral-settings/:partnershipId": show<SettingsDoc>()({
      access: { as: ["brand", "creator"], owns: ["brand_id", "creator_id"] },
      input: z.object({ partnershipId: z.string() }),
      answer: async (documents, { partnershipId }) => {
        const settings = await documents.get(partnershipId);
        if (!settings) throw notFound("Referral settings");
        return settings;
      },
    }),
    "GET /api/referrals/info/:code": show<SettingsDoc>()({
      access: { as: "public", fields: ["creator_name", "referral_commission_rate"] },
      input: z.object({ code: z.string() }),
      answer: async (documents, { code }, { documents: other }) => {
        const [settings] = await documents.where({ referral_code: code, is_active: true }).all();
        const referrer = settings && (await other(creators).get(settings.creator_id));
        if (!settings || !referrer?.name) throw referralNotFound();
        return {
          creator_name: referrer.name,
          referral_commission_rate: settings.referral_commission_rate,
        };
      },
    }),
  },
});
