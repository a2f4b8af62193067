import { ProgramProductsSet } from "@tributary/contracts/events/program";
import { creatorProductId } from "@tributary/contracts/ids";
import { notYet, to } from "@tributary/runtime/decision";
import { reaction } from "@tributary/runtime/reaction";
import { creatorProduct } from "../creator-product.ts";
import { productFees } from "../facts/product-fees.ts";
import { type Enrolled, roster } from "../roster.ts";
import { grantOf } from "../terms.ts";

/** Those who were partners before this choice; later ones were granted what they came for when they joined. */
const earlier = (partners: readonly Enrolled[], { version }: { readonly version: number }) =>
  partners.filter(({ products_version }) => products_version < version);

/** What a program takes up, its active partners may promote too. */
export const grantNewProducts = reaction("grant-new-products", {
  on: [ProgramProductsSet],
  reads: (event) => ({
    listed: roster.at(event.data.brand_id),
    prices: event.data.added_product_ids.map((id) => productFees.at(id)),
  }),
  andThen: (event, { listed }) => ({
    held: earlier(listed.partners, event).flatMap(({ partnership_id }) =>
      event.data.added_product_ids.map((id) => creatorProduct.at(creatorProductId(partnership_id, id))),
    ),
  }),

  decide: (event, { listed, prices, held }, { today }) => {
    const products = event.data.added_product_ids;
    const unknown = products.find((_, index) => !prices[index]);
    if (unknown) return notYet(`product ${unknown} has not been heard of`);
    const { brand_id } = event.data;
    return earlier(listed.partners, event).flatMap(({ partnership_id, creator_id }, partner) =>
      products.flatMap((id, index) => {
        if (held[partner * products.length + index]?.status !== "none") return [];
        const parties = { partnership_id, creator_id, brand_id };
        const at = creatorProduct.at(creatorProductId(partnership_id, id));
        return [to(at, grantOf(parties, id, prices[index]!, today))];
      }),
    );
  },
});
