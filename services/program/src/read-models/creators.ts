import {
  CreatorChannelAdded,
  CreatorReachSet,
  CreatorRegistered,
} from "@tributary/contracts/events/identity";
import { Partner } from "@tributary/contracts/http/program";
import { readModel } from "@tributary/runtime/read-models/read-model";
import { when } from "@tributary/runtime/stream";

/** Creators as a brand may see those it works with. */
export const creators = readModel("creators", Partner, {
  on: [
    when(CreatorRegistered, (_, { data: { creator_id, name, product_categories } }) => ({
      creator_id,
      name,
      product_categories,
      total_reach: null,
      channels: [],
    })),
    when(
      CreatorChannelAdded,
      (doc, { data: { channel, channel_link } }) =>
        doc && { ...doc, channels: [...doc.channels, { channel, channel_link }] },
    ),
    when(CreatorReachSet, (doc, { data: { total_reach } }) => doc && { ...doc, total_reach }),
  ],
  key: ({ data }) => data.creator_id,
});
