import { BrandLogoSet } from "@tributary/contracts/events/identity";
import { SetBrandLogo } from "@tributary/contracts/http/identity";
import { command } from "@tributary/runtime/command";
import { notFound } from "@tributary/runtime/refusal";
import { brand } from "../brand.ts";

/** A brand shows itself by another picture. */
export const setBrandLogo = command({
  route: "PATCH /api/brands/:id/logo",
  access: { as: "brand", owns: ({ id }) => id },
  input: SetBrandLogo,
  stream: brand,
  id: ({ id }) => id,

  decide: ({ logo_url }, state) => {
    if (state.status === "none") throw notFound("Brand");
    return state.logo_url === logo_url ? [] : [BrandLogoSet({ brand_id: state.id, logo_url })];
  },
  reply: ({ status: _, ...shown }) => shown,
});
