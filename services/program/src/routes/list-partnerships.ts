import { PartnershipsQuery } from "@tributary/contracts/http/program";
import { route } from "@tributary/runtime/route";
import { brands } from "../read-models/brands.ts";
import { partnerships } from "../read-models/partnerships.ts";
import { withCreators } from "../read-models/with-creators.ts";

/** A brand's applications and partners, or a creator's brands: both parties ask at one address and see their own. */
export const listPartnerships = route("GET /api/creator-brand-partnerships", {
  access: { as: ["brand", "creator"] },
  input: PartnershipsQuery,
  handle: async ({ status, after, limit }, { caller, documents }) => {
    const { brand_id, creator_id } = caller!;
    const own = brand_id ? { brand_id, status } : { creator_id: creator_id!, status };
    const page = await documents(partnerships).where(own).sort("-requested_at").page({ after, limit });
    const { items, next } = await withCreators(page, documents);
    const houses = await documents(brands).many([...new Set(items.map((item) => item.brand_id))]);
    const nameOf = new Map(houses.map((house) => [house.brand_id, house.brand_name]));
    return { items: items.map((item) => ({ ...item, brand_name: nameOf.get(item.brand_id) ?? null })), next };
  },
});
