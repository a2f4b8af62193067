import type { DataOf } from "@tributary/contracts/event";
import { SellerProductReported } from "@tributary/contracts/events/attribution";
import { stream, when } from "@tributary/runtime/stream";
import { contentHash } from "./content-hash.ts";

export type ReportedProduct = DataOf<typeof SellerProductReported>;

/** What was last said of a product; one stream per product, so that a large catalogue never makes one stream long. */
export const sellerProduct = stream("seller-product", { hash: null } as { readonly hash: string | null }, [
  when(SellerProductReported, (_, { data }) => ({ hash: productHash(data) })),
]);

/** Equal for two reports that say the same of a product. */
export const productHash = (product: ReportedProduct): string =>
  contentHash({ ...product, price: product.price?.toString() ?? null });
