import { RoleSet, UserDisabled, UserRegistered } from "@tributary/contracts/events/identity";
import { UserRole, UserType } from "@tributary/contracts/http/identity";
import { readModel } from "@tributary/runtime/read-models/read-model";
import { when } from "@tributary/runtime/stream";
import { z } from "zod";

/** An account without its address: e-mail is taken from the verified token and kept nowhere here. */
const Account = z.object({
  user_id: z.string(),
  firebase_uid: z.string(),
  user_type: UserType,
  role: UserRole,
  disabled: z.boolean(),
});
export type Account = z.infer<typeof Account>;

/** Who may come in, and as what; the gateway's own memory of identity's words. */
export const accounts = readModel("accounts", Account, {
  on: [
    when(UserRegistered, (_, { data: { user_id, firebase_uid, user_type } }) => ({
      user_id,
      firebase_uid,
      user_type,
      role: "user",
      disabled: false,
    })),
    when(RoleSet, (account, { data: { role } }) => account && { ...account, role }),
    when(UserDisabled, (account) => account && { ...account, disabled: true }),
  ],
  key: ({ data }) => data.user_id,
});
