import { isDeepStrictEqual } from "node:util";
import { ProgramProductsSet } from "@tributary/contracts/events/program";
import { SetProgramProducts } from "@tributary/contracts/http/program";
import { command } from "@tributary/runtime/command";
import { notFound, unprocessable } from "@tributary/runtime/refusal";
import { productFees } from "../facts/product-fees.ts";
import { program } from "../program.ts";

/** A brand chooses what its partners may promote, of its own products only. What leaves the program keeps earning by its links. */
export const setProgramProducts = command({
  route: "PUT /api/affiliate-programs/:id/products",
  access: { as: "brand", owns: (_, state) => (state.status === "none" ? null : state.face.brand_id) },
  input: SetProgramProducts,
  stream: program,
  id: ({ id }) => id,
  reads: ({ productIds }) => ({ products: productIds.map((id) => productFees.at(id)) }),

  decide: ({ productIds }, state, { products }) => {
    if (state.status === "none") throw notFound("Program");
    const { program_id, brand_id } = state.face;
    const strangers = productIds.filter((_, index) => products[index]?.brand_id !== brand_id);
    if (strangers.length > 0) {
      throw unprocessable(
        "unknown_products",
        "Only your own products can be in your program",
        strangers.map((id) => ({ field: "productIds", message: `${id} is none of your products` })),
      );
    }
    const product_ids = [...new Set(productIds)];
    if (isDeepStrictEqual(product_ids, state.product_ids)) return [];
    const added_product_ids = product_ids.filter((id) => !state.product_ids.includes(id));
    return [ProgramProductsSet({ program_id, brand_id, product_ids, added_product_ids })];
  },
  reply: (state) =>
    state.status === "none" ? null : { id: state.face.program_id, productIds: state.product_ids },
});
