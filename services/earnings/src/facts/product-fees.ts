import {
  ProductCommissionChangeCancelled,
  ProductCommissionChanged,
  ProductListed,
} from "@tributary/contracts/events/catalog";
import { FeeVersion, withoutPending, withVersion } from "@tributary/contracts/fees";
import { facts } from "@tributary/runtime/facts";
import { when } from "@tributary/runtime/stream";
import { z } from "zod";

/** The percents of a product for all creators; the one it was listed with counts as always having been in force. */
export const ProductFee = z.object({ versions: z.array(FeeVersion) });
export type ProductFee = z.infer<typeof ProductFee>;

/** What a product pays on every day, by product. */
export const productFees = facts("product_fees", ProductFee, {
  on: [
    when(
      ProductListed,
      (fee, { data: { commission_percent } }) =>
        fee ?? {
          versions: [{ percent: commission_percent, effective_from: null, requested_on: null, set_by: null }],
        },
    ),
    when(ProductCommissionChanged, (fee, { data: { percent, effective_from, requested_on, set_by } }) => ({
      versions: withVersion<FeeVersion>(fee?.versions ?? [], {
        percent,
        effective_from,
        requested_on,
        set_by,
      }),
    })),
    when(ProductCommissionChangeCancelled, (fee, { data }) => ({
      versions: withoutPending(fee?.versions ?? [], data.requested_on),
    })),
  ],
  key: ({ data }) => data.product_id,
});
