import { daysBetween } from "@tributary/contracts/dates";
import {
  PartnerEnrolled,
  PartnershipActivated,
  PartnershipRequested,
} from "@tributary/contracts/events/program";
import { inForce } from "@tributary/contracts/fees";
import { ApplyToProgram } from "@tributary/contracts/http/program";
import { partnershipId } from "@tributary/contracts/ids";
import { command } from "@tributary/runtime/command";
import { anyhow } from "@tributary/runtime/decision";
import { conflict, forbidden, notFound } from "@tributary/runtime/refusal";
import { begun, days } from "../day.ts";
import { creatorStanding } from "../facts/creator-standing.ts";
import { partnership, shownPartnership } from "../partnership.ts";
import { program } from "../program.ts";
import { referral, referralNotFound } from "../referral.ts";
import { roster } from "../roster.ts";

/** How long somebody who was turned down waits before asking again, in days. */
const REAPPLY_AFTER_DAYS = 30;

/**
 * A creator asks to join a brand's program; one that auto-accepts answers yes at once. Only approved creators may ask, and
 * those who signed up from this brand's program. A referral code used here fixes the referrer and the percent for good.
 */
export const applyToProgram = command({
  route: "POST /api/creator-brand-partnerships",
  access: { as: "creator", owns: ({ creator_id }) => creator_id },
  input: ApplyToProgram,
  stream: partnership,
  id: ({ creator_id, brand_id }) => partnershipId(creator_id, brand_id),
  status: 201,
  reads: ({ creator_id, brand_id, source_program_id, referral_code }) => ({
    chosen: program.at(source_program_id),
    standing: creatorStanding.at(creator_id),
    day: days.guard(partnership.at(partnershipId(creator_id, brand_id))),
    codes: (referral_code ? [referral_code] : []).map((code) => referral.at(code)),
  }),

  decide: ({ creator_id, brand_id, referral_code }, state, { chosen, standing, day, codes }, deciding) => {
    const today = begun(day, deciding.today);
    if (chosen.status === "none" || chosen.face.brand_id !== brand_id) throw notFound("Program");
    if (state.status === "pending" || state.status === "active") {
      throw conflict("already_applied", "You already applied to this brand");
    }
    if (state.status === "ended") {
      throw conflict("partnership_ended", "Your partnership with this brand has ended");
    }
    if (state.status === "rejected" && daysBetween(state.rejected_on!, today) < REAPPLY_AFTER_DAYS) {
      throw conflict("rejected", `You can apply again ${REAPPLY_AFTER_DAYS} days after the brand's answer`);
    }
    if (!chosen.face.is_visible) {
      throw conflict("program_closed", "This brand is not accepting affiliates right now");
    }
    const approved = deciding.caller!.approved || standing?.approved;
    if (!approved && standing?.from_program_brand_id !== brand_id) {
      throw forbidden("not_approved", "Your account has not been approved yet");
    }
    const [code] = codes;
    if (code && (code.status === "none" || !code.is_active || code.brand_id !== brand_id)) {
      throw referralNotFound();
    }
    if (code?.status === "set" && code.creator_id === creator_id) {
      throw conflict("self_referral", "You cannot refer yourself");
    }
    const referrer = code?.status === "set" ? code : null;
    const came = {
      partnership_id: partnershipId(creator_id, brand_id),
      creator_id,
      brand_id,
      source_program_id: chosen.face.program_id,
      referrer_creator_id: referrer?.creator_id ?? null,
      referral_percent: referrer?.referral_commission_rate ?? null,
    };
    const requested = PartnershipRequested({ ...came, referral_code: referrer ? referral_code! : null });
    if (!chosen.face.auto_accept_applications) return [requested];
    const { commission_base } = inForce(chosen.bases, today)!;
    const { partnership_id } = came;
    const { products_version } = chosen;
    return [
      requested,
      PartnershipActivated({ ...came, commission_base, started_on: today }),
      anyhow(
        roster.at(brand_id),
        PartnerEnrolled({ partnership_id, creator_id, brand_id, products_version }),
      ),
    ];
  },
  reply: shownPartnership,
});
