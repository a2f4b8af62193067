import { PartnershipActivated } from "@tributary/contracts/events/program";
import { creatorProductId } from "@tributary/contracts/ids";
import { notYet, to } from "@tributary/runtime/decision";
import { reaction } from "@tributary/runtime/reaction";
import { creatorProduct } from "../creator-product.ts";
import { productFees } from "../facts/product-fees.ts";
import { partiesOf, partnership } from "../partnership.ts";
import { type ProgramState, program } from "../program.ts";
import { grantOf } from "../terms.ts";

const granted = (chosen: readonly string[] | undefined, joined: ProgramState): readonly string[] =>
  chosen ?? (joined.status === "none" ? [] : joined.product_ids);

/** A new partner may promote what was chosen for them, or else all of the program's products. */
export const grantToNewPartner = reaction("grant-to-new-partner", {
  on: [PartnershipActivated],
  reads: ({ data }) => ({
    partner: partnership.at(data.partnership_id),
    joined: program.at(data.source_program_id),
  }),
  andThen: ({ data }, { joined }) => {
    const ids = granted(data.product_ids, joined);
    return {
      held: ids.map((id) => creatorProduct.at(creatorProductId(data.partnership_id, id))),
      prices: ids.map((id) => productFees.at(id)),
    };
  },

  decide: ({ data }, { partner, joined, held, prices }, { today }) => {
    if (partner.status !== "active") return [];
    const ids = granted(data.product_ids, joined);
    const unknown = ids.find((_, index) => !prices[index]);
    if (unknown) return notYet(`product ${unknown} has not been heard of`);
    return ids.flatMap((id, index) => {
      if (held[index]?.status !== "none") return [];
      const at = creatorProduct.at(creatorProductId(data.partnership_id, id));
      return [to(at, grantOf(partiesOf(partner), id, prices[index]!, today))];
    });
  },
});
