import {
  PartnerEnrolled,
  PartnerLeft,
  PartnershipActivated,
  PartnershipEnded,
  PartnershipRejected,
  ReferralSettingsSet,
} from "@tributary/contracts/events/program";
import { inForce } from "@tributary/contracts/fees";
import { AnswerPartnership } from "@tributary/contracts/http/program";
import { command } from "@tributary/runtime/command";
import { presentDay } from "@tributary/runtime/days";
import { type Addressed, anyhow, to } from "@tributary/runtime/decision";
import { conflict, forbidden, notFound, unprocessable } from "@tributary/runtime/refusal";
import { days } from "../day.ts";
import { partiesOf, partnership, shownPartnership } from "../partnership.ts";
import { type ProgramState, program } from "../program.ts";
import { type ReferralState, referral } from "../referral.ts";
import { roster } from "../roster.ts";
import { termsAt, termsOf, termsReads } from "../terms.ts";

/** The products that come with the yes: those chosen for this creator, or else all of the program's. */
const granted = (chosen: readonly string[] | undefined, joined: ProgramState): readonly string[] => [
  ...new Set(chosen ?? (joined.status === "none" ? [] : joined.product_ids)),
];

/** Who is no partner any more refers nobody: the code is switched off in the unit that ends the partnership. */
function withdrawn(code: ReferralState): Addressed[] {
  if (code.status === "none" || !code.is_active) return [];
  const { status: _, ...settings } = code;
  return [to(referral.at(code.referral_code), ReferralSettingsSet({ ...settings, is_active: false }))];
}

/**
 * A brand takes an application on or turns it down; either party ends the partnership, and sales up to 14 days after are
 * still paid. With the yes the brand may choose products and agree private fees for this creator.
 */
export const answerPartnership = command({
  route: "PATCH /api/creator-brand-partnerships/:id",
  access: {
    as: ["brand", "creator"],
    owns: (_, state, { brand_id }) => {
      if (state.status === "none") return null;
      return brand_id ? state.brand_id : state.creator_id;
    },
  },
  input: AnswerPartnership,
  stream: partnership,
  id: ({ id }) => id,
  reads: ({ id }, _, state) => ({
    day: days.guard(partnership.at(id)),
    joined: program.at(state.status === "none" ? "" : state.source_program_id),
    codes: state.status !== "none" && state.issued_code ? [referral.at(state.issued_code)] : [],
  }),
  andThen: ({ id, status, product_ids }, _, __, { joined }) =>
    termsReads(id, status === "active" ? granted(product_ids, joined) : []),

  decide: ({ status, reason, product_ids, fees = [] }, state, reads, deciding) => {
    if (state.status === "none") throw notFound("Partnership");
    if (state.status === status) return [];
    const parties = partiesOf(state);
    const { brand_id, user_id } = deciding.caller!;
    const today = presentDay(reads.day, deciding.today);

    if (status === "ended") {
      if (state.status !== "active") throw conflict("not_active", "This partnership is not active");
      const by = brand_id ? "brand" : "creator";
      return [
        PartnershipEnded({ ...parties, ended_on: today, by, reason: reason ?? null }),
        anyhow(roster.at(state.brand_id), PartnerLeft(parties)),
        ...reads.codes.flatMap((code) => withdrawn(code)),
      ];
    }
    if (!brand_id) throw forbidden("brand_answers", "Only the brand can answer an application");
    if (state.status !== "pending") throw conflict("not_pending", `This application is ${state.status}`);
    if (status === "rejected")
      return [PartnershipRejected({ ...parties, reason: reason ?? null, by: user_id! })];

    if (reads.joined.status === "none") throw notFound("Program");
    const { bases, product_ids: offered, products_version } = reads.joined;
    const products = granted(product_ids, reads.joined);
    const outside = [
      ...products.filter((id) => !offered.includes(id)),
      ...fees.map(({ product_id }) => product_id).filter((id) => !products.includes(id)),
    ];
    if (outside.length > 0) {
      throw unprocessable(
        "not_in_program",
        "Only products of your program can be granted",
        outside.map((id) => ({ field: "product_ids", message: `${id} is not granted from your program` })),
      );
    }
    const feeOf = new Map(fees.map(({ product_id, affiliate_fee }) => [product_id, affiliate_fee]));
    return [
      PartnershipActivated({
        ...parties,
        source_program_id: state.source_program_id,
        referrer_creator_id: state.referrer_creator_id,
        referral_percent: state.referral_percent,
        commission_base: inForce(bases, today)!.commission_base,
        started_on: today,
      }),
      anyhow(roster.at(state.brand_id), PartnerEnrolled({ ...parties, products_version })),
      ...products.flatMap((product_id, index) =>
        termsOf(parties, { product_id, affiliate_fee: feeOf.get(product_id) }, termsAt(reads, index), {
          today,
          set_by: user_id!,
        }),
      ),
    ];
  },
  reply: shownPartnership,
});
