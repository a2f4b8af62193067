import type { Day } from "@tributary/contracts/dates";
import type { Progress } from "@tributary/runtime/progress";
import type { Accrued } from "./facts/completeness.ts";

/** A brand whose reports are not known to be booked, and why. */
export interface Missing {
  readonly brand_id: string;
  readonly reason: string;
}

/**
 * Which brands a month can't be closed for yet: the report through the day before the close must have been accrued, all of
 * it booked here, and nothing of the brand be waiting.
 */
export function whatIsMissing(brands: readonly Accrued[], needed: Day, booked: Progress): Missing[] {
  return brands.flatMap(({ brand_id, through, heads }) => {
    const held = booked.held.find(({ tenant }) => tenant === brand_id);
    const behind = heads.some((head, partition) => (booked.position[partition] ?? 0) < head);
    const reason =
      through < needed
        ? `reports are accrued through ${through}, not ${needed}`
        : behind
          ? "not everything accrued has been booked"
          : held
            ? `an earning waits: ${held.cause}`
            : null;
    return reason ? [{ brand_id, reason }] : [];
  });
}
