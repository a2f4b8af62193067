import {
  ProductChanged,
  ProductCommissionChangeCancelled,
  ProductCommissionChanged,
  ProductListed,
} from "@tributary/contracts/events/catalog";
import { FeeVersion, withoutPending, withVersion } from "@tributary/contracts/fees";
import { storedCents } from "@tributary/contracts/money";
import { readModel } from "@tributary/runtime/read-models/read-model";
import { when } from "@tributary/runtime/stream";
import { z } from "zod";

const ProductDoc = z.object({
  product_id: z.string(),
  title: z.string(),
  asin: z.string(),
  image_url: z.string().nullable(),
  price: storedCents.nullable(),
  availability: z.string(),
  fees: z.array(FeeVersion),
});
export type ProductDoc = z.infer<typeof ProductDoc>;

/** Products as a partner needs to see them; catalog alone decides about them. */
export const products = readModel("products", ProductDoc, {
  on: [
    when(ProductListed, (_, { data }) => ({
      product_id: data.product_id,
      title: data.title,
      asin: data.asin,
      image_url: data.image_url,
      price: data.price,
      availability: data.availability,
      fees: [{ percent: data.commission_percent, effective_from: null, requested_on: null, set_by: null }],
    })),
    when(
      ProductChanged,
      (doc, { data: { title, asin, image_url, price, availability } }) =>
        doc && { ...doc, title, asin, image_url, price, availability },
    ),
    when(
      ProductCommissionChanged,
      (doc, { data: { percent, effective_from, requested_on, set_by } }) =>
        doc && {
          ...doc,
          fees: withVersion<FeeVersion>(doc.fees, { percent, effective_from, requested_on, set_by }),
        },
    ),
    when(
      ProductCommissionChangeCancelled,
      (doc, { data: { requested_on } }) => doc && { ...doc, fees: withoutPending(doc.fees, requested_on) },
    ),
  ],
  key: ({ data }) => data.product_id,
});
