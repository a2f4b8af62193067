import { BrandLogoSet, BrandRegistered } from "@tributary/contracts/events/identity";
import type { Brand } from "@tributary/contracts/http/identity";
import { stream, when } from "@tributary/runtime/stream";

type State = { readonly status: "none" } | ({ readonly status: "registered" } & Brand);
export type BrandState = State;

/** The brand of one user, keyed by `brandId(user)`. */
export const brand = stream("brand", { status: "none" } as State, [
  when(BrandRegistered, (_, { data: { brand_id, ...data } }) => ({
    status: "registered",
    id: brand_id,
    logo_url: null,
    ...data,
  })),
  when(BrandLogoSet, (state, { data }) =>
    state.status === "none" ? state : { ...state, logo_url: data.logo_url },
  ),
]);
