import { UserRegistered } from "@tributary/contracts/events/identity";
import { brandId, creatorId, userId } from "@tributary/contracts/ids";
import { type App, as } from "@tributary/runtime/testing/harness";
import { user } from "../src/user.ts";

/** Somebody with an account, as the gateway vouches for them: before there is a brand or creator, and after. */
export function person(name: string, user_type: "brand" | "creator") {
  const user_id = userId(`uid-${name}`);
  const signedUp = {
    ...as.signedIn(`uid-${name}`, `${name}@example.com`),
    user_id,
    user_type,
  };
  return {
    user_id,
    signedUp,
    caller: {
      ...signedUp,
      brand_id: user_type === "brand" ? brandId(user_id) : null,
      creator_id: user_type === "creator" ? creatorId(user_id) : null,
    },
    registered: (app: App) =>
      app.happened(
        user.at(user_id),
        UserRegistered({ user_id, firebase_uid: `uid-${name}`, email: `${name}@example.com`, user_type }),
      ),
  };
}
