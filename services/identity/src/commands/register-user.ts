import { UserRegistered } from "@tributary/contracts/events/identity";
import { RegisterUser, type User } from "@tributary/contracts/http/identity";
import { userId } from "@tributary/contracts/ids";
import { command } from "@tributary/runtime/command";
import { conflict, forbidden } from "@tributary/runtime/refusal";
import { type UserState, user } from "../user.ts";

const shown = (state: UserState): User | null => {
  if (state.status === "none") return null;
  const { status: _, user_id: id, ...rest } = state;
  return { id, ...rest };
};

/** Somebody who signed up with the identity provider takes an account. Said again, it answers the account they have. */
export const registerUser = command({
  route: "POST /api/users",
  access: { as: "signed-in" },
  input: RegisterUser,
  stream: user,
  id: (_, { uid }) => userId(uid),
  status: 201,

  decide: ({ email, firebase_uid, user_type }, state, _, { caller }) => {
    const { uid, email: verified } = caller!;
    if (firebase_uid !== uid || email.toLowerCase() !== verified?.toLowerCase()) {
      throw forbidden("not_your_account", "The account is not the one you are signed in with");
    }
    if (state.status === "disabled") throw forbidden("account_disabled", "User account has been disabled");
    if (state.status === "registered") {
      if (state.user_type === user_type) return [];
      throw conflict("already_registered", `You already have a ${state.user_type} account`);
    }
    return [UserRegistered({ user_id: userId(uid), firebase_uid: uid, email: verified, user_type })];
  },
  reply: shown,
});
