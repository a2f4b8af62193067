import type { SellerConnection } from "@tributary/contracts/http/attribution";
import type { Acting } from "@tributary/runtime/acting";
import { blankSeller, sellers, showSeller } from "../read-models/sellers.ts";
import { seller } from "../seller.ts";

/** The brand's connection as its stream says now, with what the read model knows of its pulls. */
export async function currentConnection(acting: Acting, brand_id: string): Promise<SellerConnection> {
  const { state } = await acting.read({ state: seller.at(brand_id) });
  const known = (await acting.documents(sellers).get(brand_id)) ?? blankSeller(brand_id);
  const { connected, reason, profile_id } = state;
  return showSeller({ ...known, connected, reason, profile_id, profiles: [...state.profiles] });
}
