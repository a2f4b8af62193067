import type { Day } from "@tributary/contracts/dates";
import {
  CreatorFeeAgreed,
  CreatorFeeChangeCancelled,
  CreatorProductGranted,
  CreatorProductStatusSet,
} from "@tributary/contracts/events/program";
import { FeeVersion, inForce, withoutPending, withVersion } from "@tributary/contracts/fees";
import { type CreatorProduct, CreatorProductStatus } from "@tributary/contracts/http/program";
import { formatCents } from "@tributary/contracts/money";
import { readModel, type Showing } from "@tributary/runtime/read-models/read-model";
import { when } from "@tributary/runtime/stream";
import { z } from "zod";
import { type ProductDoc, products } from "./products.ts";

const GrantDoc = z.object({
  creator_product_id: z.string(),
  partnership_id: z.string(),
  product_id: z.string(),
  /** The copy made when it was granted. */
  granted_fee: z.int(),
  /** Private fees only. */
  fees: z.array(FeeVersion),
  status: CreatorProductStatus,
});
export type GrantDoc = z.infer<typeof GrantDoc>;

/** What each partner may promote, and the private fees agreed with them. */
export const creatorProducts = readModel("creator-products", GrantDoc, {
  on: [
    when(
      CreatorProductGranted,
      (_, { data: { creator_product_id, partnership_id, product_id, affiliate_fee } }) => ({
        creator_product_id,
        partnership_id,
        product_id,
        granted_fee: affiliate_fee,
        fees: [],
        status: "active",
      }),
    ),
    when(CreatorProductStatusSet, (doc, { data: { status } }) => doc && { ...doc, status }),
    when(
      CreatorFeeAgreed,
      (doc, { data: { percent, effective_from, requested_on, set_by } }) =>
        doc && {
          ...doc,
          fees: withVersion<FeeVersion>(doc.fees, { percent, effective_from, requested_on, set_by }),
        },
    ),
    when(
      CreatorFeeChangeCancelled,
      (doc, { data: { requested_on } }) => doc && { ...doc, fees: withoutPending(doc.fees, requested_on) },
    ),
  ],
  key: ({ data }) => data.creator_product_id,
  indexes: [["partnership_id", "product_id"]],
});

/** A grant with the fee that counts on a day: the private one in force, else the product's percent. */
export function shownGrant(doc: GrantDoc, product: ProductDoc | undefined, today: Day): CreatorProduct {
  const own = inForce(doc.fees, today);
  const commission_perc = (product && inForce(product.fees, today)?.percent) ?? doc.granted_fee;
  const changes = own || doc.fees.length > 0 ? doc.fees : (product?.fees ?? []);
  const pending = changes.find(({ effective_from }) => effective_from !== null && effective_from > today);
  return {
    id: doc.creator_product_id,
    product_id: doc.product_id,
    affiliate_fee: own?.percent ?? commission_perc,
    is_private: own !== null,
    pending: pending ? { percent: pending.percent, effective_from: pending.effective_from! } : null,
    status: doc.status,
    commission_perc,
    title: product?.title ?? null,
    asin: product?.asin ?? null,
    image_url: product?.image_url ?? null,
    price: product?.price ? formatCents(product.price) : null,
    availability: product?.availability ?? null,
  };
}

/** Everything granted to one partner, with the products it is about. */
export async function shownGrants(
  partnership_id: string,
  other: Showing["documents"],
  today: Day,
): Promise<CreatorProduct[]> {
  const grants = await other(creatorProducts).where({ partnership_id }).sort("product_id").all(1000);
  const known = await other(products).many(grants.map(({ product_id }) => product_id));
  const byId = new Map(known.map((product) => [product.product_id, product]));
  return grants.map((doc) => shownGrant(doc, byId.get(doc.product_id), today));
}
