import type { DataOf } from "@tributary/contracts/event";
import {
  ProductChanged,
  ProductCommissionChangeCancelled,
  ProductCommissionChanged,
  ProductDelisted,
  ProductFavorited,
  ProductListed,
} from "@tributary/contracts/events/catalog";
import { type FeeVersion, withoutPending, withVersion } from "@tributary/contracts/fees";
import { stream, when } from "@tributary/runtime/stream";

/** What the retailer says of a product, as it was recorded last. */
export type Listing = Omit<DataOf<typeof ProductChanged>, "report_version">;

interface Listed {
  readonly status: "listed" | "delisted";
  readonly product_id: string;
  readonly brand_id: string;
  readonly listing: Listing;
  /** Version of the retailer's report that was heard last. */
  readonly report_version: number;
  readonly fees: readonly FeeVersion[];
  readonly favorite: boolean;
}
type State = { readonly status: "none" } | Listed;
export type ProductState = State;

const listed = (state: State, change: (product: Listed) => Partial<Listed>): State =>
  state.status === "none" ? state : { ...state, ...change(state) };

/** One product of one brand, keyed by `productId`, with the versions of the percent it pays. */
export const product = stream("product", { status: "none" } as State, [
  when(ProductListed, (_, { data }) => {
    const { commission_percent: percent, listed_on: _on, report_version, ...listing } = data;
    return {
      status: "listed",
      product_id: data.product_id,
      brand_id: data.brand_id,
      listing,
      report_version: report_version ?? 0,
      fees: [{ percent, effective_from: null, requested_on: null, set_by: null }],
      favorite: false,
    };
  }),
  when(ProductChanged, (state, { data: { report_version, ...listing } }) =>
    listed(state, (known) => ({
      status: "listed",
      listing,
      report_version: report_version ?? known.report_version,
    })),
  ),
  when(ProductDelisted, (state) => listed(state, () => ({ status: "delisted" }))),
  when(ProductFavorited, (state, { data: { favorite } }) => listed(state, () => ({ favorite }))),
  when(ProductCommissionChanged, (state, { data }) =>
    listed(state, ({ fees }) => {
      const { percent, effective_from, requested_on, set_by } = data;
      return { fees: withVersion<FeeVersion>(fees, { percent, effective_from, requested_on, set_by }) };
    }),
  ),
  when(ProductCommissionChangeCancelled, (state, { data: { requested_on } }) =>
    listed(state, ({ fees }) => ({ fees: withoutPending(fees, requested_on) })),
  ),
]);
