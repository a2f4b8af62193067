import { SellerProductReported } from "@tributary/contracts/events/attribution";
import { readModel } from "@tributary/runtime/read-models/read-model";
import { when } from "@tributary/runtime/stream";
import { z } from "zod";

const SellerProduct = z.object({
  product_id: z.string(),
  brand_id: z.string(),
  best_seller_rank: z.int().nullable(),
  image_url: z.string().nullable(),
});

/** The pictures of a brand's products, the best sold first: where a logo is looked for. */
export const sellerProducts = readModel("seller-products", SellerProduct, {
  on: [
    when(
      SellerProductReported,
      (_, { data: { product_id, brand_id, best_seller_rank, image_url, large_image_url } }) => ({
        product_id,
        brand_id,
        best_seller_rank,
        image_url: large_image_url ?? image_url,
      }),
    ),
  ],
  key: ({ data }) => data.product_id,
  indexes: [["brand_id", "best_seller_rank"]],
});
