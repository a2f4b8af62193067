import { isDeepStrictEqual } from "node:util";
import { SellerProductReported } from "@tributary/contracts/events/attribution";
import { ProductChanged, ProductListed } from "@tributary/contracts/events/catalog";
import { to } from "@tributary/runtime/decision";
import { reaction } from "@tributary/runtime/reaction";
import { product } from "../product.ts";

/** What a product pays until its brand says otherwise, in percent (product specification, section 9). */
export const DEFAULT_COMMISSION_PERCENT = 20;

/**
 * What the retailer reports of a product is listed the first time and changed when it differs. A report heard again is known
 * by its version, so that an old one never overwrites what came later.
 */
export const listProduct = reaction("list-product", {
  on: [SellerProductReported],
  reads: ({ data }) => ({ known: product.at(data.product_id) }),

  decide: ({ data, version: report_version }, { known }, { today }) => {
    const at = product.at(data.product_id);
    if (known.status === "none") {
      return [
        to(
          at,
          ProductListed({
            ...data,
            report_version,
            commission_percent: DEFAULT_COMMISSION_PERCENT,
            listed_on: today,
          }),
        ),
      ];
    }
    if (report_version <= known.report_version) return [];
    if (known.status === "listed" && isDeepStrictEqual(known.listing, data)) return [];
    return [to(at, ProductChanged({ ...data, report_version }))];
  },
});
