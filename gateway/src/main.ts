import { service } from "@tributary/runtime/service";
import { accounts } from "./read-models/accounts.ts";
import { profiles } from "./read-models/profiles.ts";

/** What the gateway remembers by itself: who its callers are. One more listener, with no streams. */
export const gateway = service({ name: "gateway", readModels: [accounts, profiles] });
