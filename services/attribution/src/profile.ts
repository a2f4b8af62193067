import { ProfileClaimed, ProfileReleased } from "@tributary/contracts/events/attribution";
import { stream, when } from "@tributary/runtime/stream";

/** A claim: of one retailer's profile at most one brand is the holder. */
export const profile = stream("profile", { holder: null } as { readonly holder: string | null }, [
  when(ProfileClaimed, (_, { data }) => ({ holder: data.brand_id })),
  when(ProfileReleased, () => ({ holder: null })),
]);
