import {
  ProductCommissionChangeCancelled,
  ProductCommissionChanged,
  ProductFavorited,
} from "@tributary/contracts/events/catalog";
import { feeAfterRequest } from "@tributary/contracts/fees";
import { EditProduct } from "@tributary/contracts/http/catalog";
import { command } from "@tributary/runtime/command";
import { presentDay } from "@tributary/runtime/days";
import { notFound } from "@tributary/runtime/refusal";
import { days } from "../day.ts";
import { type ProductState, product } from "../product.ts";
import { shownProduct } from "../read-models/products.ts";

const owner = (state: ProductState) => (state.status === "none" ? null : state.brand_id);

/**
 * A brand marks a product as a favourite, or sets the percent that all creators without a private fee earn on it: a raise
 * from tomorrow, a cut after the notice, whatever was still to begin being cancelled first.
 */
export const editProduct = command({
  route: "PATCH /api/products/:id",
  access: { as: "brand", owns: (_, state) => owner(state) },
  input: EditProduct,
  stream: product,
  id: ({ id }) => id,
  reads: ({ id }) => ({ day: days.guard(product.at(id)) }),

  decide: ({ favorite, commission_perc }, state, { day }, { caller, today }) => {
    if (state.status === "none") throw notFound("Product");
    const requested_on = presentDay(day, today);
    const { product_id, brand_id } = state;
    const events = [];
    if (favorite !== undefined && favorite !== state.favorite) {
      events.push(ProductFavorited({ product_id, brand_id, favorite }));
    }
    if (commission_perc !== undefined) {
      const asked = { product_id, brand_id, requested_on, set_by: caller!.user_id! };
      const decision = feeAfterRequest(state.fees, requested_on, commission_perc);
      if (decision.kind === "agreed") {
        const { percent, effective_from } = decision;
        events.push(ProductCommissionChanged({ ...asked, percent, effective_from }));
      }
      if (decision.kind === "cancelled") events.push(ProductCommissionChangeCancelled(asked));
    }
    return events;
  },
  reply: (state, _, { day }) =>
    state.status === "none"
      ? null
      : shownProduct(
          {
            ...state.listing,
            favorite: state.favorite ? 1 : 0,
            delisted: state.status === "delisted",
            fees: [...state.fees],
          },
          day.date!,
        ),
});
