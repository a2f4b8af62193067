import { ConnectBrand } from "@tributary/contracts/http/attribution";
import { conflict, notFound } from "@tributary/runtime/refusal";
import { route } from "@tributary/runtime/route";
import { amazon } from "../amazon/amazon.ts";
import { connectSeller } from "../connection/connect-seller.ts";
import { disconnect } from "../connection/disconnect.ts";
import { answering } from "../connection/in-the-brands-name.ts";
import { currentConnection } from "./current-connection.ts";

/**
 * A brand disconnects, or asks to count as connected. The second is not the browser's to say: it holds only where the
 * retailer's grant still stands and shows an eligible profile.
 */
export const setConnected = route("PATCH /api/brands/:id/connect", {
  access: { as: "brand" },
  input: ConnectBrand,
  handle: async ({ id, connected }, asking) => {
    if (id !== asking.caller!.brand_id) throw notFound("Brand");
    if (!connected) await disconnect(asking, id, "by_brand");
    else if ((await asking.use(amazon).tokens.grantedAt(id)) === null)
      throw conflict(
        "amazon_not_connected",
        "Amazon connection was not successful. Please try connecting your Amazon account again.",
      );
    else await answering(asking, id, () => connectSeller(asking, id));
    return currentConnection(asking, id);
  },
});
