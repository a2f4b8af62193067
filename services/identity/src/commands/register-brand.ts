import { BrandRegistered } from "@tributary/contracts/events/identity";
import { RegisterBrand } from "@tributary/contracts/http/identity";
import { brandId } from "@tributary/contracts/ids";
import { command } from "@tributary/runtime/command";
import { forbidden } from "@tributary/runtime/refusal";
import { brand } from "../brand.ts";
import { user } from "../user.ts";

/** A user with a brand account says which brand it is. One brand per user: said again, it answers the brand there is. */
export const registerBrand = command({
  route: "POST /api/brands",
  access: { as: "user", owns: ({ user_id }) => user_id },
  input: RegisterBrand,
  stream: brand,
  id: (_, { user_id }) => brandId(user_id!),
  status: 201,
  reads: (_, { user_id }) => ({ account: user.at(user_id!) }),

  decide: ({ brand_name, website, product_category }, state, { account }, { caller }) => {
    if (account.status !== "registered" || account.user_type !== "brand") {
      throw forbidden("not_a_brand_account", "Only a brand account can have a brand");
    }
    if (state.status !== "none") return [];
    const user_id = caller!.user_id!;
    return [BrandRegistered({ brand_id: brandId(user_id), user_id, brand_name, website, product_category })];
  },
  reply: ({ status: _, ...shown }) => shown,
});
