import { RoleSet, UserDisabled, UserRegistered } from "@tributary/contracts/events/identity";
import { stream, when } from "@tributary/runtime/stream";

type State =
  | { readonly status: "none" }
  | {
      readonly status: "registered" | "disabled";
      readonly user_id: string;
      readonly firebase_uid: string;
      readonly email: string;
      readonly user_type: "brand" | "creator";
      readonly role: "user" | "admin";
    };
export type UserState = State;

/** One account of the identity provider, keyed by `userId(firebase uid)`: it can never become two users. */
export const user = stream("user", { status: "none" } as State, [
  when(UserRegistered, (_, { data }) => ({ status: "registered", role: "user", ...data })),
  when(RoleSet, (state, { data }) => (state.status === "none" ? state : { ...state, role: data.role })),
  when(UserDisabled, (state) => (state.status === "none" ? state : { ...state, status: "disabled" })),
]);
