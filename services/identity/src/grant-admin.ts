import { RoleSet } from "@tributary/contracts/events/identity";
import { userId } from "@tributary/contracts/ids";
import { to } from "@tributary/runtime/decision";
import { notFound } from "@tributary/runtime/refusal";
import { type UserState, user } from "./user.ts";

/**
 * What `npm run admin -- grant <uid>` decides: what to read and what follows, ready for a unit of its own. The account must
 * exist; granted twice, nothing more happens. Nobody becomes an admin in any other way but by another admin.
 */
export const grantAdmin = (firebase_uid: string) => {
  const account = user.at(userId(firebase_uid));
  return {
    reads: { account },
    decide: ({ account: state }: { readonly account: UserState }) => {
      if (state.status === "none") throw notFound(`Account ${firebase_uid}`);
      return state.role === "admin" ? [] : [to(account, RoleSet({ user_id: state.user_id, role: "admin" }))];
    },
  };
};
