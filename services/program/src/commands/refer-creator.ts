import { CreatorReferred } from "@tributary/contracts/events/program";
import { ReferCreator } from "@tributary/contracts/http/program";
import { command } from "@tributary/runtime/command";
import { conflict } from "@tributary/runtime/refusal";
import { referral, referralNotFound } from "../referral.ts";
import { referred } from "../referred.ts";

/** A creator says by whose code they came. To each brand once, and the first code counts. */
export const referCreator = command({
  route: "POST /api/referrals",
  access: { as: "creator", owns: ({ referred_creator_id }) => referred_creator_id },
  input: ReferCreator,
  stream: referred,
  id: ({ referred_creator_id }) => referred_creator_id,
  status: 201,
  reads: ({ referral_code }) => ({ code: referral.at(referral_code) }),

  decide: ({ referral_code, referred_creator_id }, { by_brand }, { code }) => {
    if (code.status === "none" || !code.is_active) throw referralNotFound();
    if (code.creator_id === referred_creator_id) {
      throw conflict("self_referral", "You cannot refer yourself");
    }
    if (by_brand[code.brand_id]) return [];
    const { creator_id: referrer_creator_id, brand_id, referral_commission_rate } = code;
    return [
      CreatorReferred({
        referred_creator_id,
        referrer_creator_id,
        brand_id,
        referral_code,
        referral_commission_rate,
      }),
    ];
  },
  reply: ({ by_brand }, _, { code }) => (code.status === "none" ? null : by_brand[code.brand_id]),
});
