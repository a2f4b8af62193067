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
import { anyhow, to } from "@tributary/runtime/decision";
import { conflict, forbidden, notFound, unprocessable } from "@tributary/runtime/refusal";
import { begun, days } from "../day.ts";
import { partiesOf, partnership, shownPartnership } from "../partnership.ts";
import { program } from "../program.ts";
import { referral } from "../referral.ts";
import { roster } from "../roster.ts";
import { termsOf, termsReads } from "../terms.ts";

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
  reads: ({ id, fees = [] }, _, state) => ({
    day: days.guard(partnership.at(id)),
    joined: program.at(state.status === "none" ? "" : state.source_program_id),
    codes: state.status !== "none" && state.issued_code ? [referral.at(state.issued_code)] : [],
    ...termsReads(
      id,
      fees.map(({ product_id }) => product_id),
    ),
  }),

  decide: ({ status, reason, product_ids, fees = [] }, state, reads, deciding) => {
    if (state.status === "none") throw notFound("Partnership");
    if (state.status === status) return [];
    const parties = partiesOf(state);
    const { brand_id, uid } = deciding.caller!;
    const today = begun(reads.day, deciding.today);

    if (status === "ended") {
      if (state.status !== "active") throw conflict("not_active", "This partnership is not active");
      const by = brand_id ? "brand" : "creator";
      const [code] = reads.codes;
      return [
        PartnershipEnded({ ...parties, ended_on: today, by, reason: reason ?? null }),
        anyhow(roster.at(state.brand_id), PartnerLeft(parties)),
        ...(code?.status === "set" && code.is_active
          ? [to(referral.at(code.referral_code), ReferralSettingsSet({ ...code, is_active: false }))]
          : []),
      ];
    }
    if (!brand_id) throw forbidden("brand_answers", "Only the brand can answer an application");
    if (state.status !== "pending") throw conflict("not_pending", `This application is ${state.status}`);
    if (status === "rejected") return [PartnershipRejected({ ...parties, reason: reason ?? null, by: uid })];

    if (reads.joined.status === "none") throw notFound("Program");
    const { bases, product_ids: offered, products_version } = reads.joined;
    const outside = [...(product_ids ?? []), ...fees.map(({ product_id }) => product_id)].filter(
      (id) => !offered.includes(id) || (product_ids && !product_ids.includes(id)),
    );
    if (outside.length > 0) {
      throw unprocessable(
        "not_in_program",
        "Only products of your program can be granted",
        outside.map((id) => ({ field: "product_ids", message: `${id} is not in your program` })),
      );
    }
    return [
      PartnershipActivated({
        ...parties,
        source_program_id: state.source_program_id,
        referrer_creator_id: state.referrer_creator_id,
        referral_percent: state.referral_percent,
        commission_base: inForce(bases, today)!.commission_base,
        started_on: today,
        product_ids,
      }),
      anyhow(roster.at(state.brand_id), PartnerEnrolled({ ...parties, products_version })),
      ...fees.flatMap((asked, index) =>
        termsOf(
          parties,
          asked,
          {
            granted: reads.granted[index]!,
            price: reads.prices[index]!,
            day: reads.days[index]!,
            catalog: reads.catalog,
          },
          { today, set_by: uid },
        ),
      ),
    ];
  },
  reply: shownPartnership,
});
