import { SyncCompleted } from "@tributary/contracts/events/attribution";
import { AccruedThrough } from "@tributary/contracts/events/earnings";
import { notYet, to } from "@tributary/runtime/decision";
import { progress } from "@tributary/runtime/progress";
import { reaction } from "@tributary/runtime/reaction";
import { type Accrual, accrual } from "../accrual.ts";

const saysMore = (
  { through, synced }: Accrual,
  pull: { through: string; heads: readonly number[] },
): boolean =>
  through === null ||
  pull.through > through ||
  (pull.through === through && pull.heads.some((head, partition) => head > (synced[partition] ?? 0)));

/**
 * Once everything that a pull showed of a brand has been decided, says so, with the heads of this log that hold it: a month
 * closes on this proof. A metric of the brand that is held leaves it unsaid.
 */
export const sayAccruedThrough = reaction("say-accrued-through", {
  on: [SyncCompleted],

  reads: ({ data: { brand_id } }) => ({
    accrued: progress.at("accrue-earnings", "attribution"),
    said: accrual.at(brand_id),
  }),

  decide: ({ data: { brand_id, through, heads, outcome } }, { accrued, said }, deciding) => {
    if (!saysMore(said, { through, heads })) return [];
    if (!heads.every((head, partition) => (accrued.position[partition] ?? 0) >= head))
      return notYet(`accrue-earnings has not yet heard all that the pull of ${through} recorded`);
    if (accrued.held.some(({ tenant }) => tenant === brand_id))
      return notYet(`sales of the brand ${brand_id} are held`);
    return [
      to(
        accrual.at(brand_id),
        AccruedThrough({ brand_id, through, heads: [...deciding.heads], synced: heads, outcome }),
      ),
    ];
  },
});
