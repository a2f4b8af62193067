import {
  ProductCommissionChangeCancelled,
  ProductCommissionChanged,
  ProductListed,
} from "@tributary/contracts/events/catalog";
import { FeeVersion, withoutPending, withVersion } from "@tributary/contracts/fees";
import { facts } from "@tributary/runtime/facts";
import { when } from "@tributary/runtime/stream";
import { z } from "zod";

const ProductFees = z.object({ brand_id: z.string(), fees: z.array(FeeVersion) });
export type ProductFees = z.infer<typeof ProductFees>;

/** By product: whose it is, and the versions of the percent it pays to all creators without a private fee. */
export const productFees = facts("product-fees", ProductFees, {
  on: [
    when(ProductListed, (_, { data: { brand_id, commission_percent: percent } }) => ({
      brand_id,
      fees: [{ percent, effective_from: null, requested_on: null, set_by: null }],
    })),
    when(
      ProductCommissionChanged,
      (row, { data: { percent, effective_from, requested_on, set_by } }) =>
        row && {
          ...row,
          fees: withVersion<FeeVersion>(row.fees, { percent, effective_from, requested_on, set_by }),
        },
    ),
    when(
      ProductCommissionChangeCancelled,
      (row, { data: { requested_on } }) => row && { ...row, fees: withoutPending(row.fees, requested_on) },
    ),
  ],
  key: ({ data }) => data.product_id,
});
