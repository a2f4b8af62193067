import { SetCreatorProducts } from "@tributary/contracts/http/program";
import { command } from "@tributary/runtime/command";
import { presentDay } from "@tributary/runtime/days";
import { conflict, notFound, unprocessable } from "@tributary/runtime/refusal";
import { days } from "../day.ts";
import { partiesOf, partnership } from "../partnership.ts";
import { termsAt, termsOf, termsReads } from "../terms.ts";

/** A brand sets what one partner may promote and the private fee they earn on it. */
export const setCreatorProducts = command({
  route: "PUT /api/creator-products/:partnershipId",
  access: { as: "brand", owns: (_, state) => (state.status === "none" ? null : state.brand_id) },
  input: SetCreatorProducts,
  stream: partnership,
  id: ({ partnershipId }) => partnershipId,
  reads: ({ partnershipId, items }) => ({
    own: days.guard(partnership.at(partnershipId)),
    ...termsReads(
      partnershipId,
      items.map(({ product_id }) => product_id),
    ),
  }),

  decide: ({ items }, state, reads, { caller, today: now }) => {
    if (state.status === "none") throw notFound("Partnership");
    if (state.status !== "active") throw conflict("not_active", "This partnership is not active");
    const named = items.map(({ product_id }) => product_id);
    const wrong = named.filter(
      (id, index) => reads.prices[index]?.brand_id !== state.brand_id || named.indexOf(id) !== index,
    );
    if (wrong.length > 0) {
      throw unprocessable(
        "unknown_products",
        "Name each of your own products once",
        wrong.map((id) => ({ field: "items", message: `${id} is none of your products, or named twice` })),
      );
    }
    const today = presentDay(reads.own, now);
    const deciding = { today, set_by: caller!.user_id! };
    return items.flatMap((asked, index) => termsOf(partiesOf(state), asked, termsAt(reads, index), deciding));
  },
  reply: (state, { items }) =>
    state.status === "none"
      ? null
      : {
          partnership_id: state.id,
          status: state.status,
          product_ids: items.map(({ product_id }) => product_id),
        },
});
