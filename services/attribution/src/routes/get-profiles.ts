import { route } from "@tributary/runtime/route";
import { amazon } from "../amazon/amazon.ts";
import { connectSeller } from "../connection/connect-seller.ts";
import { accountOf, answering } from "../connection/in-the-brands-name.ts";
import { currentConnection } from "./current-connection.ts";

/** The profiles of the seller's account as they are now; the connection follows them, also when no eligible one is left. */
export const getProfiles = route("GET /api/amazon/get-profiles", {
  access: { as: "brand" },
  handle: async (_, asking) => {
    const brand_id = asking.caller!.brand_id!;
    if ((await asking.use(amazon).tokens.grantedAt(brand_id)) === null) await accountOf(asking, brand_id);
    await answering(asking, brand_id, () => connectSeller(asking, brand_id));
    const { profile_id, profiles } = await currentConnection(asking, brand_id);
    return { profile_id, profiles };
  },
});
