import { CreatorApproved, CreatorRegistered, CreatorRejected } from "@tributary/contracts/events/identity";
import { facts } from "@tributary/runtime/facts";
import { when } from "@tributary/runtime/stream";
import { z } from "zod";

const Standing = z.object({ approved: z.boolean(), from_program_brand_id: z.string().nullable() });

/** By creator: whether they are approved, and from which brand's program they came when they signed up. */
export const creatorStanding = facts("creator-standing", Standing, {
  on: [
    when(CreatorRegistered, (_, { data: { approved, from_program_brand_id } }) => ({
      approved,
      from_program_brand_id,
    })),
    when(CreatorApproved, (row) => row && { ...row, approved: true }),
    when(CreatorRejected, (row) => row && { ...row, approved: false }),
  ],
  key: ({ data }) => data.creator_id,
});
