import { CreatorChannelAdded } from "@tributary/contracts/events/identity";
import { AddCreatorChannel } from "@tributary/contracts/http/identity";
import { command } from "@tributary/runtime/command";
import { conflict, notFound } from "@tributary/runtime/refusal";
import { type CreatorState, creator } from "../creator.ts";

const MAX_CHANNELS = 50;

const found = (state: CreatorState, asked: { channel: string; channel_link: string }) =>
  state.status === "none"
    ? null
    : (state.channels.find(
        ({ channel, channel_link }) => channel === asked.channel && channel_link === asked.channel_link,
      ) ?? null);

/** A creator names one of their channels. The same channel named again is the channel there is. */
export const addCreatorChannel = command({
  route: "POST /api/creator-channels",
  access: { as: "creator", owns: ({ creator_id }) => creator_id },
  input: AddCreatorChannel,
  stream: creator,
  id: ({ creator_id }) => creator_id,
  status: 201,

  decide: (asked, state, _, deciding) => {
    if (state.status === "none") throw notFound("Creator");
    if (found(state, asked)) return [];
    if (state.channels.length >= MAX_CHANNELS) {
      throw conflict("too_many_channels", `A creator has at most ${MAX_CHANNELS} channels`);
    }
    return [CreatorChannelAdded({ ...asked, channel_id: deciding.id() })];
  },
  reply: found,
});
