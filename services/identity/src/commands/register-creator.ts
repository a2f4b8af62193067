import { CreatorRegistered } from "@tributary/contracts/events/identity";
import { RegisterCreator } from "@tributary/contracts/http/identity";
import { creatorId } from "@tributary/contracts/ids";
import { command } from "@tributary/runtime/command";
import { forbidden } from "@tributary/runtime/refusal";
import { creator, shownCreator } from "../creator.ts";
import { hasVisibleProgram, visiblePrograms } from "../facts/visible-programs.ts";
import { user } from "../user.ts";

/**
 * A user with a creator account says who they are. They need no approval when they come from the program of a brand, as far
 * as that program is heard to be visible; what the body says of `approved` counts for nothing.
 */
export const registerCreator = command({
  route: "POST /api/creators",
  access: { as: "user", owns: ({ user_id }) => user_id },
  input: RegisterCreator,
  stream: creator,
  id: (_, { user_id }) => creatorId(user_id!),
  status: 201,
  reads: ({ fromAffiliateProgramBrand }, { user_id }) => ({
    account: user.at(user_id!),
    programs: visiblePrograms.at(fromAffiliateProgramBrand ?? ""),
  }),

  decide: (input, state, { account, programs }, { caller }) => {
    if (account.status !== "registered" || account.user_type !== "creator") {
      throw forbidden("not_a_creator_account", "Only a creator account can have a creator");
    }
    if (state.status !== "none") return [];
    const user_id = caller!.user_id!;
    return [
      CreatorRegistered({
        creator_id: creatorId(user_id),
        user_id,
        name: input.name,
        product_categories: [...new Set(input.product_categories)],
        approved: hasVisibleProgram(programs),
        from_program_brand_id: input.fromAffiliateProgramBrand || null,
      }),
    ];
  },
  reply: shownCreator,
});
