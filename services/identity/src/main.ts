import { service } from "@tributary/runtime/service";
import { addCreatorChannel } from "./commands/add-creator-channel.ts";
import { approveCreator } from "./commands/approve-creator.ts";
import { registerBrand } from "./commands/register-brand.ts";
import { registerCreator } from "./commands/register-creator.ts";
import { registerUser } from "./commands/register-user.ts";
import { rejectCreator } from "./commands/reject-creator.ts";
import { setBrandLogo } from "./commands/set-brand-logo.ts";
import { setCreatorReach } from "./commands/set-creator-reach.ts";
import { setUserRole } from "./commands/set-user-role.ts";
import { visiblePrograms } from "./facts/visible-programs.ts";
import { brands } from "./read-models/brands.ts";
import { creators } from "./read-models/creators.ts";
import { users } from "./read-models/users.ts";

/** Who someone is and what they may do: users, brands, creators and their approval. */
export const identity = service({
  name: "identity",
  commands: [
    registerUser,
    registerBrand,
    setBrandLogo,
    registerCreator,
    addCreatorChannel,
    setCreatorReach,
    approveCreator,
    rejectCreator,
    setUserRole,
  ],
  readModels: [users, brands, creators],
  facts: [visiblePrograms],
});
