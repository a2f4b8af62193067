import { ReferralCodeIssued, ReferralSettingsSet } from "@tributary/contracts/events/program";
import { SetReferralSettings } from "@tributary/contracts/http/program";
import { command } from "@tributary/runtime/command";
import { create, to } from "@tributary/runtime/decision";
import { conflict, notFound } from "@tributary/runtime/refusal";
import { partiesOf, partnership } from "../partnership.ts";
import { referral } from "../referral.ts";

const CODE_LENGTH = 8;

/** A brand says what it pays a partner for referring others. The partner's code is made once and kept. */
export const setReferralSettings = command({
  route: "PUT /api/brand-referral-settings/:partnershipId",
  access: { as: "brand", owns: (_, state) => (state.status === "none" ? null : state.brand_id) },
  input: SetReferralSettings,
  stream: partnership,
  id: ({ partnershipId }) => partnershipId,
  reads: (_, __, state) => ({
    codes: state.status !== "none" && state.issued_code ? [referral.at(state.issued_code)] : [],
  }),

  decide: ({ referral_commission_rate, is_active }, state, { codes }, deciding) => {
    if (state.status === "none") throw notFound("Partnership");
    if (state.status !== "active") throw conflict("not_active", "This partnership is not active");
    const parties = partiesOf(state);
    const [present] = codes;
    const referral_code = state.issued_code ?? deciding.code(CODE_LENGTH);
    const settings = ReferralSettingsSet({ ...parties, referral_commission_rate, is_active, referral_code });
    if (!state.issued_code) {
      return [
        ReferralCodeIssued({ ...parties, referral_code }),
        create(referral.at(referral_code), settings),
      ];
    }
    const same =
      present?.status === "set" &&
      present.referral_commission_rate === referral_commission_rate &&
      present.is_active === is_active;
    return same ? [] : [to(referral.at(referral_code), settings)];
  },
  reply: (state, { referral_commission_rate, is_active }) =>
    state.status === "none"
      ? null
      : { ...partiesOf(state), referral_commission_rate, is_active, referral_code: state.issued_code },
});
