import {
  CreatorApproved,
  CreatorChannelAdded,
  CreatorReachSet,
  CreatorRegistered,
  CreatorRejected,
} from "@tributary/contracts/events/identity";
import type { Creator } from "@tributary/contracts/http/identity";
import { stream, when } from "@tributary/runtime/stream";

/** A creator who registered, and who answered for the approval last. */
type Registered = { readonly status: "registered"; readonly decided_by: string | null } & Creator;
type State = { readonly status: "none" } | Registered;
export type CreatorState = State;

const registered = (state: State, change: (creator: Registered) => Partial<Registered>): State =>
  state.status === "none" ? state : { ...state, ...change(state) };

/** The creator of one user, keyed by `creatorId(user)`, with channels, reach and approval. */
export const creator = stream("creator", { status: "none" } as State, [
  when(CreatorRegistered, (_, { data }) => ({
    status: "registered",
    id: data.creator_id,
    user_id: data.user_id,
    name: data.name,
    product_categories: data.product_categories,
    total_reach: null,
    profile_image_url: null,
    approved: data.approved,
    approval: data.approved ? "approved" : "pending",
    rejection_reason: null,
    channels: [],
    decided_by: null,
  })),
  when(CreatorChannelAdded, (state, { data: { channel_id, ...channel } }) =>
    registered(state, ({ channels }) => ({ channels: [...channels, { id: channel_id, ...channel }] })),
  ),
  when(CreatorReachSet, (state, { data: { total_reach } }) => registered(state, () => ({ total_reach }))),
  when(CreatorApproved, (state, { data: { by } }) =>
    registered(state, () => ({
      approved: true,
      approval: "approved",
      rejection_reason: null,
      decided_by: by,
    })),
  ),
  when(CreatorRejected, (state, { data: { by, reason } }) =>
    registered(state, () => ({
      approved: false,
      approval: "rejected",
      rejection_reason: reason,
      decided_by: by,
    })),
  ),
]);

/** The creator as the wire shows them: without what only decisions need. */
export function shownCreator(state: State): Creator | null {
  if (state.status === "none") return null;
  const { status: _, decided_by: __, ...creator } = state;
  return creator;
}
