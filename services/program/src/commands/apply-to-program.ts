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
import { presentDay } from "@tributary/runtime/days";
import { anyhow } from "@tributary/runtime/decision";
import { conflict, forbidden, notFound } from "@tributary/runtime/refusal";
import { days } from "../day.ts";
import { creatorStanding } from "../facts/creator-standing.ts";
import { partnership, shownPartnership } from "../partnership.ts";
import { type ProgramState, program } from "../program.ts";
import { referral, referralNotFound } from "../referral.ts";
import { roster } from "../roster.ts";
import { termsAt, termsOf, termsReads } from "../terms.ts";

/** How long somebody who was turned down waits before asking again, in days. */
const REAPPLY_AFTER_DAYS = 30;

/** The products that come with joining: all of the program's, where it says yes by itself. */
const granted = (chosen: ProgramState): readonly string[] =>
  chosen.status === "created" && chosen.face.auto_accept_applications ? chosen.product_ids : [];

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
  andThen: ({ creator_id, brand_id }, _, __, { chosen }) =>
    termsReads(partnershipId(creator_id, brand_id), granted(chosen)),

  decide: ({ creator_id, brand_id, referral_code }, state, reads, deciding) => {
    const { chosen, standing, day, codes } = reads;
    const today = presentDay(day, deciding.today);
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
    const parties = { partnership_id: came.partnership_id, creator_id, brand_id };
    const set_by = deciding.caller!.user_id!;
    return [
      requested,
      PartnershipActivated({ ...came, commission_base, started_on: today }),
      anyhow(roster.at(brand_id), PartnerEnrolled({ ...parties, products_version: chosen.products_version })),
      ...granted(chosen).flatMap((product_id, index) =>
        termsOf(parties, { product_id }, termsAt(reads, index), { today, set_by }),
      ),
    ];
  },
  reply: shownPartnership,
});
