import type { DataOf } from "@tributary/contracts/event";
import type { ProductCommissionChanged, ProductListed } from "@tributary/contracts/events/catalog";
import type { CreatorFeeAgreed } from "@tributary/contracts/events/program";
import { FeeVersion, withoutPending, withVersion } from "@tributary/contracts/fees";
import { z } from "zod";

/** The percents of one scope: of a product for all creators, or of one creator for it. */
export const Fee = z.object({ versions: z.array(FeeVersion) });
export type Fee = z.infer<typeof Fee>;

/** The percent a product was listed with counts as always having been in force. */
export const listed = ({ commission_percent }: DataOf<typeof ProductListed>): Fee => ({
  versions: [{ percent: commission_percent, effective_from: null, requested_on: null, set_by: null }],
});

/** Another percent from a day on, in the place of what was still to begin. */
export const changed = (
  fee: Fee | undefined,
  agreed: DataOf<typeof ProductCommissionChanged> | DataOf<typeof CreatorFeeAgreed>,
): Fee => {
  const { percent, effective_from, requested_on, set_by } = agreed;
  const version = { percent, effective_from, requested_on, set_by };
  return { versions: withVersion<FeeVersion>(fee?.versions ?? [], version) };
};

/** Nothing that was still to begin will. */
export const cancelled = (
  fee: Fee | undefined,
  { requested_on }: Pick<DataOf<typeof CreatorFeeAgreed>, "requested_on">,
): Fee => ({ versions: withoutPending(fee?.versions ?? [], requested_on) });
