import type { BrandLogo } from "@tributary/contracts/http/attribution";
import { route } from "@tributary/runtime/route";
import type { z } from "zod";
import { sellerProducts } from "../read-models/seller-products.ts";

/** A picture to stand for the brand: that of its best sold product which has one. */
export const searchBrandLogo = route("POST /api/amazon/search-brand-logo", {
  access: { as: "brand" },
  handle: async (_, asking): Promise<z.infer<typeof BrandLogo>> => {
    const { items } = await asking
      .documents(sellerProducts)
      .where({ brand_id: asking.caller!.brand_id! })
      .sort("best_seller_rank")
      .page({ limit: 200 });
    return { imageUrl: items.find(({ image_url }) => image_url !== null)?.image_url ?? null };
  },
});
