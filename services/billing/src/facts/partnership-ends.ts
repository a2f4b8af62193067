import { day } from "@tributary/contracts/dates";
import { PartnershipActivated, PartnershipEnded } from "@tributary/contracts/events/program";
import { facts } from "@tributary/runtime/facts";
import { when } from "@tributary/runtime/stream";
import { z } from "zod";

/** The day a creator's partnership with a brand ended: their last money is paid however little it is. */
export const partnershipEnds = facts("partnership-ends", z.object({ ended_on: day }), {
  on: [
    when(PartnershipEnded, (_, { data: { ended_on } }) => ({ ended_on })),
    when(PartnershipActivated, () => null),
  ],
  key: ({ data: { brand_id, creator_id } }) => `${brand_id}:${creator_id}`,
});
