import { RoleSet } from "@tributary/contracts/events/identity";
import { SetUserRole } from "@tributary/contracts/http/identity";
import { command } from "@tributary/runtime/command";
import { conflict, notFound } from "@tributary/runtime/refusal";
import { user } from "../user.ts";

/** An operator gives or takes the admin role; nobody can take their own, so that the last one stays. */
export const setUserRole = command({
  route: "POST /api/admin/users/:id/role",
  access: { as: "admin" },
  input: SetUserRole,
  stream: user,
  id: ({ id }) => id,

  decide: ({ role }, state, _, { caller }) => {
    if (state.status === "none") throw notFound("User");
    if (state.role === role) return [];
    if (state.firebase_uid === caller!.uid) throw conflict("own_role", "You cannot change your own role");
    return [RoleSet({ user_id: state.user_id, role })];
  },
  reply: (state) => (state.status === "none" ? null : { id: state.user_id, role: state.role }),
});
