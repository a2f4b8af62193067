import { CreatorReachSet } from "@tributary/contracts/events/identity";
import { SetCreatorReach } from "@tributary/contracts/http/identity";
import { command } from "@tributary/runtime/command";
import { notFound } from "@tributary/runtime/refusal";
import { creator, shownCreator } from "../creator.ts";

/** A creator says how many people they reach on all channels together. */
export const setCreatorReach = command({
  route: "PATCH /api/creators/:id",
  access: { as: "creator", owns: ({ id }) => id },
  input: SetCreatorReach,
  stream: creator,
  id: ({ id }) => id,

  decide: ({ total_reach }, state) => {
    if (state.status === "none") throw notFound("Creator");
    return state.total_reach === total_reach ? [] : [CreatorReachSet({ creator_id: state.id, total_reach })];
  },
  reply: shownCreator,
});
