import { CreatorApproved } from "@tributary/contracts/events/identity";
import { ApproveCreator } from "@tributary/contracts/http/identity";
import { command } from "@tributary/runtime/command";
import { conflict, notFound } from "@tributary/runtime/refusal";
import { creator, shownCreator } from "../creator.ts";

/** An operator lets a creator in, also one who was turned away before. Of two operators the second is told. */
export const approveCreator = command({
  route: "POST /api/admin/creators/:id/approve",
  access: { as: "admin" },
  input: ApproveCreator,
  stream: creator,
  id: ({ id }) => id,

  decide: (_, state, __, { caller }) => {
    if (state.status === "none") throw notFound("Creator");
    const by = caller!.user_id ?? caller!.uid;
    if (state.approved && state.decided_by === by) return [];
    if (state.approved) throw conflict("already_approved", "This creator is already approved");
    return [CreatorApproved({ creator_id: state.id, by })];
  },
  reply: shownCreator,
});
