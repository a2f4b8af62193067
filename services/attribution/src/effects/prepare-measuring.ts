import { SellerConnected } from "@tributary/contracts/events/attribution";
import { effect } from "@tributary/runtime/effect";
import { JOB } from "../amazon/asking.ts";
import { AmazonRefused, GrantLost } from "../amazon/failures.ts";
import { inTheBrandsName } from "../connection/in-the-brands-name.ts";
import { learnAdvertisers, learnTags } from "../connection/learn-advertisers.ts";
import { seller } from "../seller.ts";

/**
 * A connected profile is measured only after its tags were asked for once: done here, so that no link can be handed out
 * before, whatever the screens do.
 */
export const prepareMeasuring = effect("prepare-measuring", {
  on: SellerConnected,
  stream: ({ data }) => seller.at(data.brand_id),
  call: async ({ data }, state, calling) => {
    const { brand_id, profile_id } = data;
    if (!state.connected || state.profile_id !== profile_id) return [];
    try {
      await inTheBrandsName(calling, brand_id, async () => {
        if (state.advertisers.length === 0) await learnAdvertisers(calling, data, JOB);
        if (!state.tags.static) await learnTags(calling, data, false, JOB);
      });
    } catch (error) {
      if (!(error instanceof AmazonRefused || error instanceof GrantLost)) throw error;
      calling.log.warn({ err: error, brand_id }, "the profile can't be measured");
    }
    return [];
  },
});
