import { CreatorFeeAgreed, CreatorFeeChangeCancelled } from "@tributary/contracts/events/program";
import { FeeVersion, withoutPending, withVersion } from "@tributary/contracts/fees";
import { creatorProductId } from "@tributary/contracts/ids";
import { facts } from "@tributary/runtime/facts";
import { when } from "@tributary/runtime/stream";
import { z } from "zod";

/** The percents agreed with one creator for one product; before the first of them the product's own holds. */
export const PrivateFee = z.object({ versions: z.array(FeeVersion) });
export type PrivateFee = z.infer<typeof PrivateFee>;

/** What was agreed in private, by partnership and product. */
export const privateFees = facts("private_fees", PrivateFee, {
  on: [
    when(CreatorFeeAgreed, (fee, { data: { percent, effective_from, requested_on, set_by } }) => ({
      versions: withVersion<FeeVersion>(fee?.versions ?? [], {
        percent,
        effective_from,
        requested_on,
        set_by,
      }),
    })),
    when(CreatorFeeChangeCancelled, (fee, { data }) => ({
      versions: withoutPending(fee?.versions ?? [], data.requested_on),
    })),
  ],
  key: ({ data }) => creatorProductId(data.partnership_id, data.product_id),
});
