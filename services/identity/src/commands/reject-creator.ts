import { CreatorRejected } from "@tributary/contracts/events/identity";
import { RejectCreator } from "@tributary/contracts/http/identity";
import { command } from "@tributary/runtime/command";
import { conflict, notFound } from "@tributary/runtime/refusal";
import { creator, shownCreator } from "../creator.ts";

/** An operator turns a creator away and says why; the creator reads the reason. */
export const rejectCreator = command({
  route: "POST /api/admin/creators/:id/reject",
  access: { as: "admin" },
  input: RejectCreator,
  stream: creator,
  id: ({ id }) => id,

  decide: ({ reason }, state, _, { caller }) => {
    if (state.status === "none") throw notFound("Creator");
    const by = caller!.user_id ?? caller!.uid;
    if (state.approval === "approved") {
      throw conflict("already_approved", "This creator is already approved");
    }
    if (state.approval === "rejected") {
      if (state.decided_by === by && state.rejection_reason === reason) return [];
      throw conflict("already_rejected", "This creator is already rejected");
    }
    return [CreatorRejected({ creator_id: state.id, by, reason })];
  },
  reply: shownCreator,
});
