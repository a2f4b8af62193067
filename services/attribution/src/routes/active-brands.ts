import type { Acting } from "@tributary/runtime/acting";
import { partnerships } from "../facts/partnerships.ts";

/** The brands the asking creator works with at the moment. */
export async function activeBrands(acting: Acting): Promise<string[]> {
  const { partners } = await acting.read({ partners: partnerships.at(acting.caller!.creator_id!) });
  return Object.entries(partners?.brands ?? {})
    .filter(([, { active }]) => active)
    .map(([brand_id]) => brand_id);
}
